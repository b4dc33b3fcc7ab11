import type { Config } from '../base/config.ts';
import type { PlatformMailLimits } from '../limits/platform-mail-limits.ts';
import { createResolver, type Resolver } from '../protocol/dns/client/resolver.ts';
import type { EndpointPolicy } from '../base/outbound/endpoint-address.ts';

/** The resolvers of the configuration, else those of the system. */
export function configuredResolver({ dns_servers }: Config): Resolver {
  return createResolver({ servers: dns_servers, timeout_ms: 4_000 });
}

export function platformMailLimits(config: Config): PlatformMailLimits {
  return {
    per_recipient_day: config.platform_mail_per_recipient_day,
    per_instance_hour: config.platform_mail_per_instance_hour,
    confirmations_per_instance_hour: config.confirmations_per_instance_hour,
    per_network_hour: config.platform_mail_per_network_hour,
  };
}

/** Where webhooks may be. */
export function endpointPolicy(config: Config): EndpointPolicy {
  const resolver = configuredResolver(config);
  return {
    allow_insecure: config.webhook_allow_insecure,
    addresses: async (host) => await resolver.addresses(host),
  };
}
