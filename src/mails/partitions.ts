import type { Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';

const months_ahead = 3;
const look_every_ms = 6 * 3_600_000;

export async function makePartitionsAhead(db: Queryable): Promise<number> {
  const [row] = await db.query<{ made: number }>('select ensure_partitions($1) as made', [months_ahead]);
  return row?.made ?? 0;
}

/** Months begin whether or not anybody restarts the service: every node looks, one of them makes what is missing. */
export async function keepPartitionsAhead(db: Queryable, log: Log): Promise<{ stop(): Promise<void> }> {
  await makePartitionsAhead(db);
  const timer = setInterval(() => {
    makePartitionsAhead(db).catch((error: unknown) =>
      log.error({ err: error }, 'the partitions of the coming months could not be made'),
    );
  }, look_every_ms);
  timer.unref();
  return { stop: async () => clearInterval(timer) };
}
