import { addressKey } from '../../base/db/address-key.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { Job } from '../../base/jobs/job.ts';
import type { Log } from '../../base/log.ts';
import type { Authentication, Automation } from '../received-mail.ts';
import { composeForward, type ForwardRefusal, refusalOf, type Sealing } from './compose-forward.ts';

/** A message for one address, to be accepted as mail of the platform. */
export interface ForwardMail {
  raw: Buffer;
  to: string;
  subject: string;
  /** Of the instance whose route it is. */
  instance_id: number;
  /** Repeating it makes no second mail. */
  key: string;
}

export interface ForwardContext {
  log: Log;
  /** What the platform signs with. */
  sealing: () => Promise<Omit<Sealing, 'now'>>;
  /** The mail of the one recipient; undefined when it is permanently refused. */
  acceptForward: (mail: ForwardMail) => Promise<string | undefined>;
}

interface DueForward {
  id: number;
  instance_id: number;
  received_mail_id: string;
  address: string;
  attempts: number;
  is_agreed: boolean;
  recipient: string;
  subject: string | null;
  authentication: Authentication | null;
  automation: Automation | null;
}

/** Of one instance in a pass, so that a flood for one does not delay the others. */
const perInstance = 20;
const atOnce = 100;
const maxAttempts = 12;

/** Rows of the addresses that the routes have now; made with the result of the parser, so that none is lost. */
export async function insertForwards(tx: Queryable, receivedMailIds: string[]): Promise<void> {
  await tx.query(
    `insert into received_forwards (received_mail_id, instance_id, route_id, address)
     select m.id, m.instance_id, m.route_id, a.address
     from received_mails m join inbound_routes r on r.id = m.route_id cross join unnest(r.forward_to) as a (address)
     where m.id = any ($1::uuid[]) and m.action = 'forward'
     on conflict do nothing`,
    [receivedMailIds],
  );
}

/** A retry waits twice as long as the one before it, at most an hour. */
const take = `
  with due as (
    select f.id from received_forwards f
    join lateral (
      select id from received_forwards o where o.instance_id = f.instance_id and o.state = 'pending' and o.due_at <= now()
      order by o.due_at, o.id limit ${perInstance}
    ) first on first.id = f.id
    where f.state = 'pending' and f.due_at <= now()
    order by f.due_at, f.id limit ${atOnce} for update of f skip locked
  )
  update received_forwards f set attempts = f.attempts + 1,
    due_at = now() + least(interval '1 hour', interval '30 seconds' * power(2, least(f.attempts, 10)))
  from due, received_mails m
  where f.id = due.id and m.id = f.received_mail_id
  returning f.id, f.instance_id, f.received_mail_id, f.address, f.attempts, m.recipient, m.subject, m.authentication, m.automation,
    exists (select from forward_addresses a where a.instance_id = f.instance_id and a.address_key = ${addressKey('f.address')}
      and a.verified_at is not null) as is_agreed`;

export const forwardsSchedule = { name: 'received_forwards', every_ms: 5_000 } as const;

/** Hands forwarded mail to the queue, a pass at a time. */
export function forwardsJob(context: ForwardContext): Job {
  return {
    ...forwardsSchedule,
    async run({ db, now, isStopping }) {
      const total = { sent_on: 0, refused: 0, failed: 0 };
      for (let found = atOnce; found > 0 && !isStopping();) {
        const due = await db.query<DueForward & Record<string, unknown>>(take);
        found = due.length;
        for (const forward of due) total[await sendOne(db, context, { forward, now })] += 1;
      }
      return `${total.sent_on} sent on, ${total.refused} refused, ${total.failed} to be tried again`;
    },
  };
}

type Result = 'sent_on' | 'refused' | 'failed';

async function sendOne(
  db: Database,
  context: ForwardContext,
  { forward, now }: { forward: DueForward; now: Date },
): Promise<Result> {
  const { id, received_mail_id } = forward;
  try {
    if (!forward.is_agreed) return await refuse(db, id, 'not_agreed');
    const raw = await loadSource(db, received_mail_id);
    const reason = refusalOf({ ...forward, raw });
    if (reason) return await refuse(db, id, reason);
    const sealed = await composeForward({ ...forward, raw }, { ...(await context.sealing()), now });
    const { instance_id, address: to } = forward;
    const key = `forward ${received_mail_id} ${id}`;
    const mail_id = await context.acceptForward({
      raw: sealed,
      to,
      subject: forward.subject ?? '',
      instance_id,
      key,
    });
    if (mail_id === undefined) return await refuse(db, id, 'not_accepted');
    await db.query(`update received_forwards set state = 'sent_on', mail_id = $2 where id = $1`, [
      id,
      mail_id,
    ]);
    return 'sent_on';
  } catch (error) {
    context.log.warn({ err: error, received_mail_id }, 'a mail could not be forwarded');
    return forward.attempts >= maxAttempts ? await refuse(db, id, 'failed') : 'failed';
  }
}

async function refuse(
  db: Queryable,
  id: number,
  reason: ForwardRefusal | 'not_agreed' | 'not_accepted' | 'failed',
): Promise<'refused'> {
  await db.query(`update received_forwards set state = 'refused', reason = $2 where id = $1`, [id, reason]);
  return 'refused';
}

async function loadSource(db: Queryable, receivedMailId: string): Promise<Buffer> {
  const [row] = await db.query<{ raw: Buffer }>(
    'select s.raw from received_sources s join received_mails m on m.source_id = s.id where m.id = $1',
    [receivedMailId],
  );
  if (!row) throw new Error(`received mail ${receivedMailId} has no source`);
  return row.raw;
}
