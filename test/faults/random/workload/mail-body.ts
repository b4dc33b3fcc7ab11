import type { Request } from '../history.ts';
import type { PlannedCall, PlannedMail } from '../plan/planned.ts';
import type { Stage } from '../stage.ts';

export const html = `<p>${'Mail that survives. '.repeat(30)}</p><p><a href="https://shop.example.test/offer">Offer</a></p>`;

/** Of a send. Its subject says which it is. */
export function bodyOf(stage: Stage, id: string, planned: PlannedMail): object {
  return {
    sender_email: stage.account.senders[planned.sender],
    to: recipientsOf(stage, planned).map((email) => ({ email })),
    subject: id,
    html,
    custom_msg_id: id,
    ...(planned.group === undefined ? {} : { custom_group_code: planned.group }),
    ...(planned.category === undefined ? {} : { category: planned.category }),
    ...(planned.schedule_at_ms === undefined ? {} : { schedule_at: timeOf(stage, planned.schedule_at_ms) }),
  };
}

/** What is noted of it. */
export function requestOf(stage: Stage, id: string, { sender, to, schedule_at_ms }: PlannedMail): Request {
  const addresses = to.map((index) => stage.plan.people[index]?.address ?? '');
  const schedule_at = schedule_at_ms === undefined ? {} : { schedule_at: stage.began_at + schedule_at_ms };
  return { sender, custom_msg_id: id, subject: id, addresses, ...schedule_at };
}

export function recipientsOf({ plan }: Stage, { to, is_shouted }: PlannedMail): string[] {
  const addresses = to.map((index) => plan.people[index]?.address ?? '');
  return is_shouted ? addresses.map((address) => address.toUpperCase()) : addresses;
}

export function keyHeader({ id, key }: PlannedCall & { id: string }): Record<string, string> {
  return key ? { 'idempotency-key': `key-${id}` } : {};
}

export function timeOf({ began_at }: Stage, at_ms: number): string {
  return new Date(began_at + at_ms).toISOString();
}
