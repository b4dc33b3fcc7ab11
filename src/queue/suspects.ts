import type { Queryable, Statement } from '../base/db/database.ts';
import type { ClaimedMail } from './claim.ts';

/** Once with others, and twice alone: what a mail of this many crashes costs is a node each time. */
export const max_crashes = 3;

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
 * A node that dies takes all it had under way with it, and any of that may be why. Such mail is built one at a time for
 * each instance, and the queue says so meanwhile: whoever finds it there after the next crash knows which it was. Other
 * mail costs nothing.
 */
export function createSuspects(db: Queryable): BuildAlone {
  const turns = new Map<number, Promise<unknown>>();

  async function alone<T>({ mail_id, lease }: ClaimedMail, build: () => Promise<T>): Promise<T> {
    await db.query(begin, [mail_id, lease]);
    try {
      return await build();
    } finally {
      await db.query(end, [mail_id, lease]);
    }
  }

  return async (mail, build) => {
    const { crashes = 0, instance_id } = mail;
    if (crashes === 0) return await build();
    const before = turns.get(instance_id) ?? Promise.resolve();
    const turn = before.then(async () => await alone(mail, build));
    const over = turn.catch(() => undefined);
    turns.set(instance_id, over);
    try {
      return await turn;
    } finally {
      if (turns.get(instance_id) === over) turns.delete(instance_id);
    }
  };
}
