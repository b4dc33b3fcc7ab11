import { createDnsRole } from '../domains/dns-role.ts';
import type { PlatformZoneData } from '../domains/zone/platform-records.ts';
import type { Config } from '../base/config.ts';
import { isIPv4 } from 'node:net';
import type { ServiceContext } from './service-context.ts';

/** The platform's zone as the configuration describes it. */
export function platformZoneData(config: Config): PlatformZoneData {
  const { platform_domain, public_addresses, name_servers } = config;
  const senders = public_addresses.map((address) => `${isIPv4(address) ? 'ip4' : 'ip6'}:${address}`);
  return {
    platform_domain,
    mx_addresses: public_addresses,
    verify_addresses: public_addresses,
    spf_terms: [...senders, '-all'].join(' '),
    name_servers: name_servers.length > 0 ? name_servers : public_addresses,
    hostmaster: `hostmaster@${platform_domain}`,
    ttl: 3600,
  };
}

export async function startDns(context: ServiceContext): Promise<{ address: string; stop(): Promise<void> }> {
  const { config, store, notifications, log, metrics } = context;
  const server = createDnsRole({
    db: store.db,
    notifications,
    log,
    registry: metrics.registry,
    zone: platformZoneData(config),
  });
  const { host, port } = await server.start({ host: config.host, port: config.dns_port });
  return { address: `${host}:${port}`, stop: async () => await server.stop() };
}
