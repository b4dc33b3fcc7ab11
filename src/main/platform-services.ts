import type { Config } from '../base/config.ts';
import { createPlatformMailer } from '../deliver/platform-mail.ts';
import { createResolver, type Resolver } from '../protocol/dns/resolver.ts';
import type { EndpointPolicy } from '../webhooks/endpoint-address.ts';

/** The resolvers of the configuration, else those of the system. */
export function configuredResolver({ dns_servers }: Config): Resolver {
  return createResolver({ ...(dns_servers.length > 0 ? { servers: dns_servers } : {}), timeout_ms: 4_000 });
}

/** How the platform sends mail of its own. */
export function platformMailer(config: Config): ReturnType<typeof createPlatformMailer> {
  const hostname = `mx.${config.platform_domain}`;
  return createPlatformMailer({ ...config, resolver: configuredResolver(config), hostname });
}

/** Where webhooks may be. */
export function endpointPolicy(config: Config): EndpointPolicy {
  const resolver = configuredResolver(config);
  return {
    allow_insecure: config.webhook_allow_insecure,
    addresses: async (host) => await resolver.addresses(host),
  };
}
