import type { Queryable } from '../../base/db/database.ts';
import { reservedNames } from '../../protocol/dns/reserved-names.ts';

/** Verified domains that the world knows; those of the sandbox and reserved ones send nothing that leaves. */
export async function countRealDomains(db: Queryable): Promise<{ count: number; first: string | undefined }> {
  const [row] = await db.query<{ count: number; first: string | null }>(
    `select count(*)::integer as count, min(domain) as first from domains
     where deleted_at is null and not is_sandbox and domain !~ $1 and mx_status = 'verified'
       and spf_status = 'verified' and dkim_status = 'verified' and dmarc_status = 'verified'`,
    [reservedNames],
  );
  return { count: row?.count ?? 0, first: row?.first ?? undefined };
}
