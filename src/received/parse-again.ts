import { type Actor, auditOf } from '../audit/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { deleteReceived } from './personal-data.ts';
import { nobodyBlocked, requireReceivedId } from './received-mails.ts';

const audit = auditOf('received_mail');

interface Act {
  id: string;
  actor: Actor;
}

/** What is read of it is replaced; webhooks are not told again. */
export async function parseAgain(tx: Queryable, instanceId: number, { id, actor }: Act): Promise<void> {
  const rows = await tx.query(
    `update received_mails m set state = 'pending', parse_due_at = now(), parse_attempts = 0, parse_lease = null, parse_error = null
     where m.instance_id = $1 and m.id = $2 and ${nobodyBlocked('$1')} returning 1`,
    [instanceId, requireReceivedId(id)],
  );
  if (rows.length === 0) throw new Problem('received_mail_not_found');
  await tx.query(`select pg_notify('chasqui_received', '')`);
  await audit(tx, instanceId, { action: 'parsed_again', id, actor, details: {} });
}

export async function deleteReceivedMail(
  tx: Queryable,
  instanceId: number,
  { id, actor }: Act,
): Promise<void> {
  const deleted = await deleteReceived(tx, instanceId, [requireReceivedId(id)]);
  if (deleted === 0) throw new Problem('received_mail_not_found');
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: {} });
}
