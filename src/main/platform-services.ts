import type { Config } from '../base/config.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import type { PlatformMailLimits } from '../instances/platform-mail-limits.ts';
import { createResolver, type Resolver } from '../protocol/dns/resolver.ts';
import type { EndpointPolicy } from '../webhooks/endpoint-address.ts';

/** The resolvers of the configuration, else those of the system. */
export function configuredResolver({ dns_servers }: Config): Resolver {
  return createResolver({ ...(dns_servers.length > 0 ? { servers: dns_servers } : {}), timeout_ms: 4_000 });
}

/** How the platform sends mail of its own: seldom, so that what it takes is loaded when it does. */
export function platformMailer(config: Config): SendPlatformMail {
  return async (mail) => {
    const { createPlatformMailer } = await import('../deliver/platform-mail.ts');
    const resolver = configuredResolver(config);
    const send = createPlatformMailer({ ...config, resolver, hostname: `mx.${config.platform_domain}` });
    await send(mail);
  };
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
