import type { Database } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { FairLimiter } from '../../base/fair-limiter.ts';
import type { RootSecret } from '../../base/secrets.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import { loadSigningKey, type SigningKey } from '../dkim-keys.ts';
import { getDomain } from '../domains.ts';
import { openPlatformSender } from '../platform-sender.ts';
import { lookUpRecords, type RecordPurpose } from '../verification/look-up-records.ts';
import { withinDeadline } from '../verification/within-deadline.ts';
import { applyLink, purposesToApply } from './apply-link.ts';
import { type ConnectProvider, discoverProvider, type Discovery, hasTemplate } from './discover.ts';
import { domainConnectService } from './template.ts';

const deadline_ms = 5_000;

export interface ConnectContext {
  db: Database;
  platform_domain: string;
  base_url: string;
  resolver: Resolver;
  secret: RootSecret;
  key_making: FairLimiter;
  provider_discovery: Discovery;
}

export interface DomainConnection {
  provider_name: string | null;
  apply_url: string | null;
  records: RecordPurpose[];
}

const notOffered: DomainConnection = { provider_name: null, apply_url: null, records: [] };

/** Whether the provider of a domain's zone can publish its records, and the link to let it. Stores nothing. */
export async function connectDomain(
  context: ConnectContext,
  { id: instanceId, slug }: { id: number; slug: string },
  id: number,
): Promise<DomainConnection> {
  const { db, platform_domain, resolver } = context;
  const { domain, ownership_token, is_sandbox } = await getDomain(db, instanceId, { id, platform_domain });
  if (is_sandbox) throw new Problem('domain_is_sandbox');
  const names = { domain, ownership_token, platform_domain };
  const { zone, records } = await lookUpRecords(names, resolver, { deadline_ms });
  const template = { providerId: platform_domain, serviceId: domainConnectService };
  const provider = await findProvider(zone, template, context);
  if (!provider) return notOffered;
  const purposes = purposesToApply(records);
  const offered = { provider_name: provider.name, records: purposes };
  if (purposes.length === 0) return { ...offered, apply_url: null };
  const redirect_uri = `${context.base_url}/panel/i/${slug}/domains/${id}`;
  const wanted = { provider, template, domain, zone, ownership_token, purposes, redirect_uri };
  return { ...offered, apply_url: applyLink(wanted, await platformKey(context)) };
}

/** Only a provider that knows the template. */
async function findProvider(
  zone: string,
  template: { providerId: string; serviceId: string },
  { resolver, provider_discovery }: ConnectContext,
): Promise<ConnectProvider | undefined> {
  return await withinDeadline(deadline_ms, async (signal) => {
    const provider = await discoverProvider(zone, { resolver, signal }, provider_discovery);
    const asking = { ask: provider_discovery.ask, signal };
    return provider && (await hasTemplate(provider, template, asking)) ? provider : undefined;
  });
}

/**
 * The key that signs the platform's own mail, published once more for Domain Connect. Its two uses cannot be mistaken for one
 * another: what DKIM signs begins with a header field (RFC 6376 §3.7), and a query string does not.
 */
async function platformKey(context: ConnectContext): Promise<SigningKey> {
  const { db, platform_domain, secret, key_making } = context;
  const { domain_id } = await openPlatformSender(db, { platform_domain, secret, limiter: key_making });
  const key = await loadSigningKey(db, domain_id, secret);
  if (!key) throw new Error(`the platform domain ${platform_domain} has no signing key`);
  return key;
}
