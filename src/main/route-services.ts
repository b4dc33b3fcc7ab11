import { createFairLimiter, type FairLimiter } from '../base/fair-limiter.ts';
import type { Clock } from '../base/clock.ts';
import { InstanceSlots } from '../base/instance-slots.ts';
import { RootSecret } from '../base/secrets.ts';
import { createMessageBuilder } from '../deliver/build-message.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { TrackingTokens } from '../track/tracking-token.ts';
import type { DomainsContext } from '../domains/domain-routes.ts';
import type { ExportContext } from '../exports/export-operation.ts';
import { Exports } from '../exports/exports.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { BlockedPersons } from '../base/db/blocked-contacts.ts';
import { archiveSlots } from '../rights/archive-route.ts';
import { createRightsTokens } from '../rights/rights-tokens.ts';
import type { RightsContext } from '../rights/rights-routes.ts';
import { createWebhookClient } from '../webhooks/webhook-client.ts';
import type { WebhooksContext } from '../webhooks/webhook-routes.ts';
import { ReceivedLinks } from '../received/received-links.ts';
import { platformMail, type PlatformMailing } from './platform-mailer.ts';
import { configuredResolver, endpointPolicy } from './platform-services.ts';
import type { ServiceContext } from './service-context.ts';

/** What public operations and those of the panel share, such as how many exports run at a time. */
export interface RouteServices {
  /**
   * Of what is read at a cost that depends on the request, fairly between instances: one instance uses at most half of the
   * connections, so that a search over millions of mails does not block the others.
   */
  searches: FairLimiter;
  exporting: ExportContext;
  domains: DomainsContext & { clock: Clock };
  webhooks: WebhooksContext;
  received_links: ReceivedLinks;
  rights: RightsContext;
  blocked: BlockedPersons;
  /** Builds messages for those who look at them. */
  preview: ReturnType<typeof createMessageBuilder>;
  platformMail: PlatformMailing;
}

export function routeServices(context: ServiceContext, base_url: () => string): RouteServices {
  const { config, store, clock, secret } = context;
  const preview = previewBuilder(context);
  const { db } = store;
  const { platform_domain } = config;
  const policy = endpointPolicy(config);
  const hashes = new ContactHashes(secret);
  const received_links = new ReceivedLinks(secret, base_url);
  return {
    searches: createFairLimiter({
      concurrency: Math.max(1, config.database_pool_size - 1),
      per_owner: Math.max(1, Math.floor(config.database_pool_size / 2)),
      max_waiting: 200,
    }),
    exporting: { db, clock, exports: new Exports(store.lines) },
    domains: {
      db,
      platform_domain,
      resolver: configuredResolver(config),
      clock,
      secret,
      // Each takes up to seven sockets for up to five seconds.
      validations: createFairLimiter({ concurrency: 100, per_owner: 20, max_waiting: 100 }),
      key_making: createFairLimiter({ concurrency: 1, per_owner: 1, max_waiting: 20 }),
      max_domains: config.domains_per_instance,
    },
    webhooks: { db, clock, root: secret, policy, client: createWebhookClient({ policy }), received_links },
    received_links,
    preview,
    rights: {
      db,
      clock,
      hashes,
      build: preview,
      archives: new InstanceSlots(archiveSlots),
      page_tokens: createRightsTokens(secret).page,
      base_url: config.base_url,
    },
    blocked: new BlockedPersons(db, () => hashes),
    platformMail: platformMail(context),
  };
}

/** Under a secret of its own: unsubscribe and report links of a preview do not work. */
function previewBuilder({
  store,
  config,
  renderer,
}: ServiceContext): ReturnType<typeof createMessageBuilder> {
  const inert = new RootSecret('previews');
  return createMessageBuilder({
    db: store.db,
    tokens: new MailTokens(inert),
    tracking: new TrackingTokens(inert),
    renderer,
    base_url: config.base_url,
    hostname: `mx.${config.platform_domain}`,
  });
}
