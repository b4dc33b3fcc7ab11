import type { Queryable } from '../base/db/database.ts';

interface Registration {
  id: number;
  instance_id: number;
}

/** Serialises registrations and revocations of names. */
export async function lockRevocations(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('chasqui domain revocations'))");
}

/** Whether an operator revoked the name. */
export async function isRevokedName(db: Queryable, domain: string): Promise<boolean> {
  const [row] = await db.query('select from revoked_domains where domain = $1', [domain]);
  return row !== undefined;
}

/** Revokes the name in every instance, future registrations included. */
export async function revokeName(tx: Queryable, domain: string): Promise<Registration[]> {
  await tx.query('insert into revoked_domains (domain) values ($1) on conflict do nothing', [domain]);
  return await setStatuses(tx, domain, 'revoked');
}

/** Resets all registrations of the name, which must be validated again. */
export async function reinstateName(tx: Queryable, domain: string): Promise<Registration[]> {
  await tx.query('delete from revoked_domains where domain = $1', [domain]);
  return await setStatuses(tx, domain, 'pending');
}

async function setStatuses(
  tx: Queryable,
  domain: string,
  status: 'revoked' | 'pending',
): Promise<Registration[]> {
  return await tx.query<Registration>(
    `update domains set mx_status = $2, spf_status = $2, dkim_status = $2, dmarc_status = $2,
       check_reasons = '{}', updated_at = now()
     where domain = $1 and deleted_at is null and not is_sandbox and (mx_status = 'revoked') = ($2 = 'pending')
     returning id, instance_id`,
    [domain, status],
  );
}
