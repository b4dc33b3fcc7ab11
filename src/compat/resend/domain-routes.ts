import { actorOf, audited } from '../../audit/index.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import {
  createDomain,
  deleteDomain,
  type Domain,
  getDomain,
  listDomains,
  validateFairly,
} from '../../domains/index.ts';
import type { CompatContext } from '../compat-context.ts';
import { everyPage } from '../every-page.ts';
import type { VendorRoute } from '../vendor.ts';
import { readCursor, readIntegerId } from './cursor.ts';
import { membersOf, refused } from './members.ts';

export function domainRoutes(context: CompatContext): VendorRoute[] {
  return [...readRoutes(context), ...changeRoutes(context)];
}

function readRoutes({ db, platform_domain }: CompatContext): VendorRoute[] {
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

function changeRoutes({ db, domains }: CompatContext): VendorRoute[] {
  const { platform_domain } = domains;
  return [
    {
      method: 'POST',
      path: '/domains',
      scope: 'domains:write',
      max_body_bytes: 64 * 1024,
      handle: async (call) => {
        const domain = readNewDomain(call.body);
        const { instance } = call.caller;
        const { secret, key_making: limiter, max_domains } = domains;
        const wanted = { domain, platform_domain, secret, limiter, max_domains, actor: actorOf(call) };
        const id = await createDomain(db, instance.id, wanted).catch(inTheirForm);
        const created = await getDomain(db, instance.id, { id, platform_domain });
        return { object: 'domain', ...domainOf(created), records: recordsOf(created) };
      },
    },
    {
      method: 'POST',
      path: '/domains/:id/verify',
      scope: 'domains:write',
      handle: async ({ caller, params }) => {
        const id = readIntegerId(params['id'] ?? '');
        await validateFairly(domains, caller.instance.id, id);
        return { object: 'domain', id: String(id) };
      },
    },
    {
      method: 'DELETE',
      path: '/domains/:id',
      scope: 'domains:write',
      handle: async (call) => {
        const id = readIntegerId(call.params['id'] ?? '');
        await audited(db, deleteDomain)(call, { id });
        return { object: 'domain', id: String(id), deleted: true };
      },
    },
  ];
}

/** Members that ask for what every domain has here. */
const defaults: Readonly<Record<string, unknown>> = {
  region: 'us-east-1',
  tls: 'opportunistic',
  open_tracking: false,
  click_tracking: false,
};

function readNewDomain(body: unknown): string {
  const { name, capabilities, ...more } = membersOf(body, [
    'name',
    'capabilities',
    'custom_return_path',
    'tracking_subdomain',
    ...Object.keys(defaults),
  ]);
  const other = Object.keys(more).find((each) => more[each] !== null && more[each] !== defaults[each]);
  if (other !== undefined) throw refused(other, `Chasqui does not know another \`${other}\` of a domain.`);
  const { receiving } = (capabilities ?? {}) as { receiving?: unknown };
  if (receiving === 'enabled') throw refused('capabilities', '`capabilities.receiving` is not known here.');
  if (typeof name === 'string' && name.length <= 255) return name;
  const message = 'Missing `name` field.';
  throw validationProblem([
    { pointer: '/name', code: name === undefined ? 'missing' : 'value_error', message },
  ]);
}

function inTheirForm(error: unknown): never {
  const errors = error instanceof Problem ? error.facts.errors : undefined;
  if (!errors) throw error;
  throw validationProblem(errors.map((each) => ({ ...each, pointer: '/name' })));
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
