import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Caller } from '../base/http/access.ts';

export function isSandboxOnly({ actor }: Caller): boolean {
  return actor.kind === 'api_key' && actor.sandbox_only;
}

/** A key for the sandbox only runs broadcasts of sandbox senders, which reach nobody else. */
export async function requireRealMail(db: Queryable, caller: Caller, id: number): Promise<void> {
  if (!isSandboxOnly(caller)) return;
  const [found] = await db.query<{ is_sandbox: boolean }>(
    `select d.is_sandbox from broadcasts b join senders s on s.id = b.sender_id join domains d on d.id = s.domain_id
     where b.instance_id = $1 and b.id = $2`,
    [caller.instance.id, id],
  );
  if (found && !found.is_sandbox) {
    throw new Problem('sandbox_relay_restricted', {
      detail: 'This key can run only broadcasts of a sandbox sender.',
    });
  }
}
