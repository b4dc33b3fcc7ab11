import { sendRoutes } from '../accept/send-routes.ts';
import { activityExportRoutes } from '../activity/export-routes.ts';
import { eventRoutes } from '../activity/event-routes.ts';
import { statsRoutes } from '../activity/stats-routes.ts';
import { activityRoutes } from '../activity/routes.ts';
import { Exports } from '../exports/exports.ts';
import type { Operation } from '../base/http/operation.ts';
import { consentCatalogRoutes } from '../consent/catalogue/catalog-routes.ts';
import { resolveRoutes } from '../consent/resolve-routes.ts';
import { purposePanelRoutes } from '../consent/catalogue/purpose-panel-routes.ts';
import { termPanelRoutes } from '../consent/catalogue/term-panel-routes.ts';
import { termVersionPanelRoutes } from '../consent/catalogue/term-version-panel-routes.ts';
import { consentChainPanelRoutes } from '../consent/chain/chain-panel-routes.ts';
import { consentEvidencePanelRoutes } from '../consent/evidence/evidence-panel-routes.ts';
import { consentExportRoutes } from '../consent/record/event-export.ts';
import { consentEventPanelRoutes } from '../consent/record/event-panel-routes.ts';
import { consentEventRoutes } from '../consent/record/event-routes.ts';
import { sandboxPanelRoutes } from '../sandbox/sandbox-panel-routes.ts';
import { domainPanelRoutes } from '../domains/domain-panel-routes.ts';
import { domainRoutes } from '../domains/domain-routes.ts';
import { inboundPanelRoutes } from '../inbound/inbound-panel-routes.ts';
import { senderPanelRoutes } from '../domains/sender-panel-routes.ts';
import { senderRoutes } from '../domains/sender-routes.ts';
import { fieldPanelRoutes } from '../forms/field-panel-routes.ts';
import { fieldRoutes } from '../forms/field-routes.ts';
import { formPanelRoutes } from '../forms/form-panel-routes.ts';
import { formRoutes } from '../forms/form-routes.ts';
import { confirmationPanelRoutes } from '../forms/confirmation-panel-routes.ts';
import { submissionExportRoutes, submissionPanelRoutes } from '../forms/submission-routes.ts';
import { acceptanceRoutes } from '../accounts/acceptance-routes.ts';
import { credentialPanelRoutes } from '../credentials/credential-panel-routes.ts';
import { panelAccessRoutes } from '../accounts/panel-routes.ts';
import { auditPanelRoutes } from '../audit/audit-panel-routes.ts';
import { settingsPanelRoutes } from '../instances/settings-panel-routes.ts';
import { teamPanelRoutes } from '../accounts/team-panel-routes.ts';
import { configuredResolver, endpointPolicy, platformMailLimits } from './platform-services.ts';
import { queuePanelRoutes } from '../queue/panel-routes.ts';
import { suppressionPanelRoutes } from '../restrictions/panel-routes.ts';
import { suppressionRoutes } from '../restrictions/routes.ts';
import { templatePanelRoutes } from '../templates/template-panel-routes.ts';
import { templateRoutes } from '../templates/template-routes.ts';
import { createWebhookClient } from '../webhooks/webhook-client.ts';
import { webhookPanelRoutes } from '../webhooks/webhook-panel-routes.ts';
import { webhookReadRoutes, webhookWriteRoutes } from '../webhooks/webhook-routes.ts';
import type { Config } from '../base/config.ts';
import { createFairTurns } from '../base/fair-turns.ts';
import type { Caller } from '../base/http/access.ts';
import { createPlatformMailer } from './platform-mailer.ts';
import type { ServiceContext } from './service-context.ts';

/**
 * Operations whose cost grows with what is asked for. Instances take turns at them, and one has half of the connections at
 * most: a search over millions of mails keeps no other instance waiting.
 */
function inTurns({ database_pool_size }: Config, operations: Operation[]): Operation[] {
  const turns = createFairTurns({
    concurrency: Math.max(1, database_pool_size - 1),
    per_owner: Math.max(1, Math.floor(database_pool_size / 2)),
    max_waiting: 200,
  });
  return operations.map((each) => {
    const handle = each.handle as (call: { caller: Caller }) => Promise<unknown>;
    return {
      ...each,
      handle: async (call: { caller: Caller }) =>
        await turns(call.caller.instance.id, async () => await handle(call)),
    };
  });
}

/** Every operation of the service, room by room: the public ones first, then those of the panel. */
export function routes(context: ServiceContext): Operation[] {
  const { config, store, clock, secret, acceptance, renderer, buckets } = context;
  const { db } = store;
  const { platform_domain, previews_per_minute } = config;
  const resolver = configuredResolver(config);
  const { dkim_three_prime: three_prime } = config;
  const sendPlatformMail = createPlatformMailer({ db, acceptance, platform_domain, secret, three_prime });
  const mail_limits = platformMailLimits(config);
  const platformMail = { sendPlatformMail, mail_limits };
  const exporting = { db, clock, exports: new Exports(store.lines) };
  const domains = { db, platform_domain, resolver, clock, secret };
  const policy = endpointPolicy(config);
  const webhooks = { db, clock, root: secret, policy, client: createWebhookClient({ policy }) };
  return [
    ...sendRoutes({ acceptance }),
    ...inTurns(config, [
      ...activityRoutes({ db, clock }),
      ...suppressionRoutes({ db, clock }),
      ...eventRoutes({ db, clock }),
      ...statsRoutes({ db, clock }),
      ...consentEventRoutes({ db, clock }),
    ]),
    ...activityExportRoutes(exporting),
    ...domainRoutes(domains),
    ...senderRoutes({ db }),
    ...templateRoutes({ db }),
    ...consentCatalogRoutes({ db }),
    ...formRoutes({ db }),
    ...submissionExportRoutes(exporting),
    ...fieldRoutes({ db }),
    ...webhookReadRoutes(webhooks),
    ...webhookWriteRoutes(webhooks),
    ...consentExportRoutes(exporting),
    ...resolveRoutes({ db }),
    ...panelAccessRoutes({ db, secret, clock, base_url: config.base_url }),
    ...settingsPanelRoutes({ db }),
    ...auditPanelRoutes({ db, clock }),
    ...credentialPanelRoutes({ db, clock }),
    ...teamPanelRoutes({ db, clock, base_url: config.base_url, ...platformMail }),
    ...acceptanceRoutes({ db, clock }),
    ...domainPanelRoutes({
      ...domains,
      ...platformMail,
      three_prime,
      turns: createFairTurns({ concurrency: 1, per_owner: 1, max_waiting: 20 }),
      max_domains: config.domains_per_instance,
    }),
    ...inboundPanelRoutes({ db, clock }),
    ...senderPanelRoutes({ db }),
    ...templatePanelRoutes({ db, renderer, buckets, previews_per_minute }),
    ...purposePanelRoutes({ db }),
    ...termPanelRoutes({ db }),
    ...termVersionPanelRoutes({ db }),
    ...consentEventPanelRoutes(exporting),
    ...consentChainPanelRoutes({ db }),
    ...consentEvidencePanelRoutes({ db, clock }),
    ...webhookPanelRoutes(webhooks),
    ...suppressionPanelRoutes({ db, clock }),
    ...fieldPanelRoutes({ db }),
    ...formPanelRoutes({ db }),
    ...submissionPanelRoutes(exporting),
    ...confirmationPanelRoutes({ db, clock, secret, acceptance, base_url: config.base_url, mail_limits }),
    ...queuePanelRoutes({ db }),
    ...sandboxPanelRoutes({ db, clock }),
  ];
}
