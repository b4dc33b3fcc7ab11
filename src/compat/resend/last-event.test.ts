import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastEvent } from './last-event.ts';

type Mail = Parameters<typeof lastEvent>[0][number];
const mail = (more: Partial<Mail>): Mail => ({
  status: 2,
  opens: 0,
  clicks: 0,
  is_complained: false,
  reason: null,
  ...more,
});

const cases: [Partial<Mail>[], string, scheduled?: true][] = [
  [[], 'queued'],
  [[{ status: 1 }], 'queued'],
  [[{ status: 2 }], 'queued'],
  [[{ status: 7 }], 'queued'],
  [[{ status: 2 }], 'scheduled', true],
  [[{ status: 3 }], 'delivered'],
  [[{ status: 3, opens: 1 }], 'opened'],
  [[{ status: 3, opens: 1, clicks: 1 }], 'clicked'],
  [[{ status: 3, is_complained: true, clicks: 1 }], 'complained'],
  [[{ status: 5 }], 'delivery_delayed'],
  [[{ status: 6 }], 'bounced'],
  [[{ status: 6, reason: 'template_failed' }], 'failed'],
  [[{ status: 4, reason: 'recipient_restricted' }], 'suppressed'],
  [[{ status: 4, reason: 'consent_missing' }], 'suppressed'],
  [[{ status: 4, reason: 'attachments_over_limit' }], 'failed'],
  [[{ status: 4, reason: 'cancelled' }], 'canceled'],
  [[{ status: 4, reason: 'recipient_restricted' }, { status: 3 }], 'delivered'],
  [[{ status: 6 }, { status: 3, clicks: 1 }], 'bounced'],
  [[{ status: 2 }, { status: 4, reason: 'cancelled' }], 'queued'],
];

for (const [mails, expected, is_scheduled = false] of cases) {
  test(`${JSON.stringify(mails)} is ${expected}`, () => {
    assert.equal(lastEvent(mails.map(mail), is_scheduled), expected);
  });
}
