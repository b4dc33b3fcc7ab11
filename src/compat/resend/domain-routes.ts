import { type Domain, getDomain, listDomains } from '../../domains/index.ts';
import type { CompatContext } from '../compat-context.ts';
import { everyPage } from '../every-page.ts';
import type { VendorRoute } from '../vendor.ts';
import { readCursor, readIntegerId } from './cursor.ts';

export function domainRoutes({ db, platform_domain }: CompatContext): VendorRoute[] {
  return [
    {
      method: 'GET',
      path: '/domains',
      scope: 'domains:read',
      handle: async ({ caller: { instance }, query }) => {
        const { limit, after, before } = readCursor(query, readIntegerId);
        const data = await everyPage(
          async (filters) => await listDomains(db, instance.id, { filters, platform_domain }),
        );
        const newest = data.toReversed();
        const rest = newest.filter(
          ({ id }) => (after === undefined || id < after) && (before === undefined || id > before),
        );
        const shown = before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
        return { object: 'list', has_more: rest.length > limit, data: shown.map(domainOf) };
      },
    },
    {
      method: 'GET',
      path: '/domains/:id',
      scope: 'domains:read',
      handle: async ({ caller: { instance }, params }) => {
        const domain = await getDomain(db, instance.id, {
          id: readIntegerId(params['id'] ?? ''),
          platform_domain,
        });
        return { object: 'domain', ...domainOf(domain), records: recordsOf(domain) };
      },
    },
  ];
}

function domainOf(domain: Domain) {
  return {
    id: String(domain.id),
    name: domain.domain,
    status: statusOf(domain),
    created_at: domain.created_at,
    // Its clients expect one of their regions.
    region: 'us-east-1',
    capabilities: { sending: 'enabled', receiving: 'disabled' },
  };
}

const parts = ['mx_status', 'spf_status', 'dkim_status', 'dmarc_status'] as const;

export function statusOf(
  domain: Pick<Domain, (typeof parts)[number] | 'is_verified' | 'last_verification_at'>,
) {
  const statuses = parts.map((part) => domain[part]);
  if (domain.is_verified) return 'verified';
  if (domain.last_verification_at === null) return 'not_started';
  const isFailed = statuses.some((status) => status === 'failed' || status === 'revoked');
  if (statuses.includes('verified')) return isFailed ? 'partially_failed' : 'partially_verified';
  return isFailed ? 'failed' : 'pending';
}

type State = Domain['mx_status'];

function recordsOf({ dns_records, ...domain }: Domain) {
  const { mx, spf, dkim, dmarc, ownership_cname } = dns_records;
  const record = (kind: string, status: State, each: (typeof dkim)[number]) => ({
    record: kind,
    name: each.host,
    value: each.value,
    type: each.type,
    ttl: 'Auto',
    status: status === 'revoked' ? 'failed' : status,
    ...(each.priority === null ? {} : { priority: each.priority }),
  });
  return [
    record('SPF', domain.mx_status, mx),
    record('SPF', domain.spf_status, spf),
    ...dkim.map((each) => record('DKIM', domain.dkim_status, each)),
    record('DMARC', domain.dmarc_status, dmarc),
    record('Ownership', domain.is_ownership_verified ? 'verified' : 'pending', ownership_cname),
  ];
}
