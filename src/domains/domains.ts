import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';
import type { Domain, DomainStatus } from './domain-schemas.ts';
import { dnsRecordsFor } from './verification/dns-records.ts';

const isVerified = `(d.mx_status = 'verified' and d.spf_status = 'verified'
  and d.dkim_status = 'verified' and d.dmarc_status = 'verified')`;

const columns = `d.id, d.domain, d.external_id, d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status,
  d.mx_verified_at, d.spf_verified_at, d.dkim_verified_at, d.dmarc_verified_at,
  d.ownership_token, d.ownership_verified_at, d.last_verification_at, d.created_at, d.updated_at,
  ${isVerified} as is_verified, d.ownership_verified_at is not null as is_ownership_verified, d.any_sender,
  d.default_sender_id, d.is_sandbox,
  d.check_reasons, exists (select from revoked_domains r where r.domain = d.domain) as is_revoked_by_operator,
  (select k.selector from dkim_keys k where k.domain_id = d.id and k.is_signing) as signing_selector`;

type DomainRow = Omit<Domain, 'dns_records'>;

export interface DomainFilters extends PageRequest {
  domain?: string | null;
  is_verified?: boolean | null;
  external_id?: string | null;
}

/** `platform_domain` is needed for the records to publish. */
export async function listDomains(
  db: Queryable,
  instanceId: number,
  { filters, platform_domain }: { filters: DomainFilters; platform_domain: string },
): Promise<PageOf<Domain>> {
  const conditions = new Conditions()
    .where('d.instance_id = ?', instanceId)
    .contains('d.domain', filters.domain)
    .where(`${isVerified} = ?`, filters.is_verified)
    .where('d.external_id = ?', filters.external_id);
  const page = await selectPage<DomainRow>(
    db,
    {
      columns,
      source: `from domains d where d.deleted_at is null and ${conditions.sql()}`,
      order_by: 'd.id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
  return { ...page, data: page.data.map((row) => withRecords(row, platform_domain)) };
}

export async function getDomain(
  db: Queryable,
  instanceId: number,
  { id, platform_domain }: { id: number; platform_domain: string },
): Promise<Domain> {
  const [row] = await db.query<DomainRow>(
    `select ${columns} from domains d where d.instance_id = $1 and d.id = $2 and d.deleted_at is null`,
    [instanceId, id],
  );
  if (!row) throw new Problem('domain_not_found');
  return withRecords(row, platform_domain);
}

export async function getDomainStatus(
  db: Queryable,
  instanceId: number,
  name: string,
): Promise<DomainStatus> {
  const domain = canonicalDomain(name);
  if (domain === undefined) {
    const message = 'This is not a domain name';
    throw validationProblem([{ pointer: '/domain_name', code: 'value_error.domain', message }]);
  }
  const [row] = await db.query<DomainStatus>(
    `select d.domain, ${isVerified} as is_verified, d.ownership_verified_at is not null as is_ownership_verified,
       d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status, d.last_verification_at
     from domains d where d.instance_id = $1 and d.domain = $2 and d.deleted_at is null`,
    [instanceId, domain],
  );
  if (!row) throw new Problem('domain_not_found');
  return row;
}

export async function findDomainByName(db: Queryable, instanceId: number, name: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    'select id from domains where instance_id = $1 and domain = $2 and deleted_at is null',
    [instanceId, canonicalDomain(name) ?? ''],
  );
  if (!row) throw new Problem('domain_not_found');
  return row.id;
}

export async function findDomainName(db: Queryable, instanceId: number, id: number): Promise<string> {
  const [row] = await db.query<{ domain: string }>(
    'select domain from domains where instance_id = $1 and id = $2 and deleted_at is null',
    [instanceId, id],
  );
  if (!row) throw new Problem('domain_not_found');
  return row.domain;
}

function withRecords(row: DomainRow, platform_domain: string): Domain {
  const { domain, ownership_token } = row;
  return { ...row, dns_records: dnsRecordsFor({ domain, ownership_token, platform_domain }) };
}
