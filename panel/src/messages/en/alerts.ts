import { counted } from './counting.ts';

export const messages = {
  title: 'Alerts',
  about: 'What needs attention. An alert ends by itself when its cause is gone.',
  what: 'What happened',
  kind: 'Kind',
  state: 'State',
  open: 'Open',
  resolved: 'Ended',
  raised: 'Raised',
  ended: 'Ended',
  empty: 'No alerts',
  empty_about: 'Nothing needs your attention. The rules below are checked every minute.',
  none: 'Nothing needs your attention.',
  all: 'All alerts and rules',
  mark_read: 'Mark all as read',
  rules: 'Rules',
  rules_about:
    'Owners and admins get a mail for each new alert of the rules you choose. Several at the same time make one mail.',
  enabled: 'On',
  by_mail: 'Mail',
  saved: 'The rule is saved.',
  threshold_of: (rule: string) => `Threshold: ${rule}`,
  kinds: {
    bounce_rate: 'Bounce rate',
    complaint_rate: 'Complaint rate',
    webhook_failing: 'Webhook failing',
    domain_failed: 'Domain failed',
    plan_usage: 'Plan usage',
    sending_held: 'Mail on hold',
    privacy_request_due: 'Privacy request due',
  },
  kinds_about: {
    bounce_rate: 'Share of bounced mail in 24 hours, from 100 mails on.',
    complaint_rate: 'Share of delivered mail that people complained about in 24 hours, from 100 mails on.',
    webhook_failing: 'Failed deliveries in a row. It ends with the next success.',
    domain_failed: 'A domain failed its last validation.',
    plan_usage: 'Share of the plan that is used this month.',
    sending_held: 'Accepted mail that waits until its domain is verified again.',
    privacy_request_due: 'Days before the due date of an open request.',
  },
  sentences: {
    bounce_rate: (share: string) => `${share} of mail bounced within 24 hours`,
    complaint_rate: (share: string) => `People complained about ${share} of mail within 24 hours`,
    plan_usage: (share: string) => `${share} of this month’s plan is used`,
    webhook_failing: (name: string) => `The webhook “${name}” is failing`,
    domain_failed: (name: string) => `The domain ${name} failed its last validation`,
    sending_held: 'Mail is on hold',
    privacy_request_due: (days: number) =>
      days === 0
        ? 'A privacy request is overdue'
        : `A privacy request is due in ${counted(days, 'day', 'days')}`,
  },
};
