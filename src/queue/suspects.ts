import type { Queryable, Statement } from '../base/db/database.ts';
import { createFairLimiter } from '../base/fair-limiter.ts';
import type { ClaimedMail } from './claim.ts';

/** Once together with other mail and twice by itself. Each crash costs a node, so after these the mail bounces. */
export const maxCrashes = 3;

const begin: Statement = {
  name: 'queue.begin_suspect',
  text: 'update queue set crashes = crashes + 1 where mail_id = $1 and lease = $2',
};
const end: Statement = {
  name: 'queue.end_suspect',
  text: 'update queue set crashes = crashes - 1 where mail_id = $1 and lease = $2',
};

type BuildAlone = <T>(mail: ClaimedMail, build: () => Promise<T>) => Promise<T>;

/**
 * Any mail that was leased to a node when it crashed may be the cause. Such suspects are built one at a time per instance,
 * with `crashes` raised in the queue for the duration of the build: after the next crash the raised count names the
 * culprit. Other mail pays nothing.
 */
export function createSuspects(db: Queryable): BuildAlone {
  const oneByInstance = createFairLimiter({ concurrency: Infinity, per_owner: 1, max_waiting: Infinity });

  async function alone<T>({ mail_id, lease }: ClaimedMail, build: () => Promise<T>): Promise<T> {
    await db.query(begin, [mail_id, lease]);
    try {
      return await build();
    } finally {
      await db.query(end, [mail_id, lease]);
    }
  }

  return async (mail, build) =>
    (mail.crashes ?? 0) === 0
      ? await build()
      : await oneByInstance(mail.instance_id, async () => await alone(mail, build));
}
