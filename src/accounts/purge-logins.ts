import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

/** Purges expired sessions with their tokens, and expired failure counts. */
export const purgeLoginsJob: Job = {
  name: 'purge_logins',
  every_ms: 3_600_000,
  destructive: true,
  async run(context) {
    const purge = async (table: string, column: string, key: string): Promise<number> =>
      await deleteInBatches(
        context,
        `delete from ${table} where ${key} in (
           select ${key} from ${table} where ${column} < $1 order by ${column} limit $2
         ) returning 1`,
        [context.now],
      );
    const sessions = await purge('sessions', 'expires_at', 'id');
    const resets = await purge('password_resets', 'expires_at', 'token_hash');
    const challenges = await purge('used_challenges', 'expires_at', 'hash');
    const attempts = await purge('login_attempts', 'greatest(resets_at, blocked_until)', 'key');
    return `${sessions} sessions, ${resets} password links, ${attempts} failed sign-ins, ${challenges} challenges`;
  },
};
