import type { Database } from '../base/db/database.ts';
import { IdSequence } from '../base/ids.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { dropQueued, isUntried } from '../events/index.ts';
import { maxScheduleDays } from '../mails/index.ts';
import { requireSandbox } from './change-message.ts';
import type { CancelledGroup } from './message-schemas.ts';
import { withinTime } from './within-time.ts';

interface GroupCancellation {
  custom_group_code: string;
  actor: Actor;
  now: Date;
  sandbox_only: boolean;
}

/** Per call. */
const maxCancelled = 10_000;
/** Per transaction: locks are held for some tens of milliseconds. */
const batchSize = 1_000;
const dayMs = 86_400_000;
/** A mail that was never attempted waits for its schedule, and five days on hold. */
const oldestMs = (maxScheduleDays + 10) * dayMs;

const audit = auditOf('message_group');
const ids = new IdSequence();

/** Drops the mails of a group that were never attempted, oldest first. What is attempted meanwhile is sent and not counted. */
export async function cancelGroup(
  db: Database,
  instanceId: number,
  { custom_group_code, actor, now, sandbox_only }: GroupCancellation,
): Promise<CancelledGroup> {
  const found = await withinTime(
    db,
    async (tx) =>
      await tx.query<{ mail_id: string; destination: string }>(
        `select q.mail_id, q.destination from mails m join queue q on q.mail_id = m.mail_id
         where m.instance_id = $1 and m.custom_group_code = $2 and m.mail_id >= uuid_at($3::timestamptz) and ${isUntried}
         order by m.mail_id limit $4`,
        [instanceId, custom_group_code, new Date(now.getTime() - oldestMs), maxCancelled + 1],
      ),
  );
  if (sandbox_only) requireSandbox(found);
  const mailIds = found.slice(0, maxCancelled).map(({ mail_id }) => mail_id);
  let cancelled = 0;
  for (let at = 0; at < mailIds.length; at += batchSize) {
    cancelled += await db.transaction(async (tx) => {
      const drop = { instance_id: instanceId, reason: 'cancelled', at: now, only_untried: true } as const;
      const mail_ids = mailIds.slice(at, at + batchSize);
      const { dropped } = await dropQueued(tx, ids, { ...drop, mail_ids });
      const details = { cancelled: dropped };
      if (dropped > 0)
        await audit(tx, instanceId, { action: 'cancelled', id: custom_group_code, actor, details });
      return dropped;
    });
  }
  return { cancelled, has_more: found.length > maxCancelled };
}
