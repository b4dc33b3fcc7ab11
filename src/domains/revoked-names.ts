import type { Queryable } from '../base/db/database.ts';

/** A registration of the name, of whatever instance. */
interface Registration {
  id: number;
  instance_id: number;
}

/** A registration and a revocation of its name take turns: neither misses the other. */
export async function lockRevocations(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('chasqui domain revocations'))");
}

/** Whether an operator revoked the name, whoever has it registered. */
export async function isRevokedName(db: Queryable, domain: string): Promise<boolean> {
  const [row] = await db.query('select from revoked_domains where domain = $1', [domain]);
  return row !== undefined;
}

/** Ends the name in every instance, also for registrations to come. */
export async function revokeName(tx: Queryable, domain: string): Promise<Registration[]> {
  await tx.query('insert into revoked_domains (domain) values ($1) on conflict do nothing', [domain]);
  return await setStatuses(tx, domain, 'revoked');
}

/** Every registration of the name begins anew: what is published has to be validated again. */
export async function reinstateName(tx: Queryable, domain: string): Promise<Registration[]> {
  await tx.query('delete from revoked_domains where domain = $1', [domain]);
  return await setStatuses(tx, domain, 'pending');
}

/** Of those that are not revoked, or of those that are. */
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
