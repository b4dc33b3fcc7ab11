const sender_email = 'test@demo.sandbox.test';

/** Bodies of a send beside the simplest one. */
export const sendExamples = {
  template: {
    summary: 'A template by its alias, with values for each recipient',
    value: {
      sender_email,
      to: [
        { email: 'ana@sandbox.test', name: 'Ana', variables: { coupon: 'ANA-2026' } },
        { email: 'eve@sandbox.test', name: 'Eve', variables: { coupon: 'EVE-2026' } },
      ],
      template_alias: 'order.paid',
      template_variables: { order: { number: 1001 } },
      strict_variables: true,
    },
  },
  later: {
    summary: 'Later, with tags to find it by',
    value: {
      sender_email,
      to: [{ email: 'delivered@sandbox.test' }],
      subject: 'Reminder',
      html: '<p>Tomorrow at nine.</p>',
      schedule_at: '2026-12-01T09:00:00-03:00',
      tags: { customer: '4711', plan: 'pro' },
    },
  },
  self: {
    summary: 'To two people who do not see each other, without tracking',
    value: {
      sender_email,
      sender_name: 'Ana from Acme',
      reply_to: [{ email: 'ana@example.com' }, { email: 'sales@example.com' }],
      to: [{ email: 'ana@sandbox.test' }, { email: 'eve@sandbox.test' }],
      recipients_visible: 'self',
      subject: 'Our summer opening hours',
      html: '<p>We open at nine.</p>',
      tracking: { opens: false, clicks: false },
    },
  },
};
