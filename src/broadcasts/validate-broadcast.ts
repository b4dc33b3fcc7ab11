import type { Queryable } from '../base/db/database.ts';
import type { Violation } from '../base/errors/problem.ts';
import type { NewBroadcast } from './broadcast-schemas.ts';
import { validateAudience } from './validate-audience.ts';

const maxAheadMs = 366 * 86_400_000;

type Wanted = Pick<NewBroadcast, 'sender_id' | 'template_id' | 'audience'> & { schedule_at?: Date | null };

interface Found extends Record<string, unknown> {
  stream: string | null;
  requires_consent: boolean | null;
  consent_purpose_id: number | null;
  has_template: boolean;
}

/** What of a broadcast cannot be as it is: all of it, each with its place. */
export async function validateBroadcast(
  db: Queryable,
  instanceId: number,
  { wanted, now }: { wanted: Wanted; now: Date },
): Promise<Violation[]> {
  const [found] = await db.query<Found>(
    `select s.stream, s.requires_consent, s.consent_purpose_id, exists (select from mail_templates t
       where t.instance_id = $1 and t.id = $3 and t.deleted_at is null) as has_template
     from (select 1) as one left join senders s on s.instance_id = $1 and s.id = $2 and s.deleted_at is null`,
    [instanceId, wanted.sender_id, wanted.template_id],
  );
  return [
    ...aboutSender(found as Found, wanted.audience.purpose_id),
    ...(found?.has_template ? [] : [missing('/template_id', 'value_error.template', 'template')]),
    ...aboutTime(wanted.schedule_at, now),
    ...(await validateAudience(db, instanceId, wanted.audience)),
  ];
}

const missing = (pointer: string, code: string, what: string): Violation => ({
  pointer,
  code,
  message: `There is no such ${what}`,
});

/** A sender that requires consent for another purpose would drop every mail. */
function aboutSender(
  { stream, requires_consent, consent_purpose_id }: Found,
  purposeId: number,
): Violation[] {
  const pointer = '/sender_id';
  if (stream === null) return [missing(pointer, 'value_error.sender', 'sender')];
  if (stream !== 'broadcast') {
    const message =
      'The stream of the sender is transactional: a broadcast needs a sender of stream broadcast';
    return [{ pointer, code: 'value_error.stream', message }];
  }
  if (!requires_consent || consent_purpose_id === purposeId) return [];
  const message = `The sender requires consent for purpose ${consent_purpose_id}: use it for that purpose, or another sender`;
  return [{ pointer, code: 'value_error.purpose', message }];
}

function aboutTime(scheduleAt: Date | null | undefined, now: Date): Violation[] {
  if (!scheduleAt || scheduleAt.getTime() - now.getTime() <= maxAheadMs) return [];
  const message = 'This time is more than a year ahead';
  return [{ pointer: '/schedule_at', code: 'value_error.date', message }];
}
