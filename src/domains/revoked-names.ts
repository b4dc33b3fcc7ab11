import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';

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

export interface RevokedDomain {
  domain: string;
  revoked_at: Date;
  /** Slugs of the instances that have registered it. */
  instances: string[];
}

/** Names that an operator revoked, newest first. */
export async function listRevokedNames(db: Queryable, page: PageRequest): Promise<PageOf<RevokedDomain>> {
  return await selectPage<RevokedDomain>(
    db,
    {
      columns: `r.domain, r.revoked_at, array(
        select i.slug from domains d join instances i on i.id = d.instance_id
        where d.domain = r.domain and d.deleted_at is null order by i.slug limit 50
      ) as instances`,
      source: 'from revoked_domains r',
      order_by: 'r.revoked_at desc, r.domain',
      values: [],
    },
    page,
  );
}

/** Revokes the name in every instance, with future registrations, and deleted ones, whose accepted mail would still be sent. */
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
    `with changed as (
       update domains set mx_status = $2, spf_status = $2, dkim_status = $2, dmarc_status = $2,
         check_reasons = '{}', updated_at = now()
       where domain = $1 and not is_sandbox and (mx_status = 'revoked') = ($2 = 'pending')
       returning id, instance_id, deleted_at)
     select id, instance_id from changed where deleted_at is null`,
    [domain, status],
  );
}
