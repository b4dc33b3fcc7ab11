import type { LiveFeed } from '../activity/live/live-feed.ts';
import { livePanelRoutes } from '../activity/live/live-panel-routes.ts';
import { batchRoutes } from '../accept/batch-routes.ts';
import { sendRoutes } from '../accept/send-routes.ts';
import { categoryRoutes } from '../activity/category-routes.ts';
import { activityExportRoutes } from '../activity/export-routes.ts';
import { eventRoutes } from '../activity/event-routes.ts';
import { statsRoutes } from '../activity/stats-routes.ts';
import { messageReadRoutes, messageWriteRoutes } from '../activity/message-routes.ts';
import { activityRoutes } from '../activity/routes.ts';
import type { Operation } from '../base/http/operation.ts';
import { privateFaces } from '../base/http/faces.ts';
import { consentCatalogRoutes } from '../consent/catalogue/catalog-routes.ts';
import { purposeWriteRoutes } from '../consent/catalogue/purpose-write-routes.ts';
import { termVersionRoutes } from '../consent/catalogue/term-version-routes.ts';
import { termWriteRoutes } from '../consent/catalogue/term-write-routes.ts';
import { resolveRoutes } from '../consent/resolve-routes.ts';
import { consentExportRoutes } from '../consent/record/event-export.ts';
import { consentEventRoutes } from '../consent/record/event-routes.ts';
import { credentialRoutes } from '../credentials/credential-routes.ts';
import { domainRoutes } from '../domains/domain-routes.ts';
import { connectRoutes } from '../domains/domain-connect/connect-routes.ts';
import { lookUpRoutes } from '../domains/look-up-routes.ts';
import { smtpSettingsRoutes } from '../credentials/smtp-settings-routes.ts';
import { domainWriteRoutes } from '../domains/domain-write-routes.ts';
import { senderRoutes } from '../domains/sender-routes.ts';
import { senderWriteRoutes } from '../domains/sender-write-routes.ts';
import { withdrawalRoutes } from '../received/answers/withdrawal-routes.ts';
import { forwardRoutes } from '../received/forwards/forward-routes.ts';
import { forwardAddressRoutes } from '../received/forwards/forward-address-routes.ts';
import { inboundRouteRoutes } from '../received/inbound-route-routes.ts';
import { receivedListRoute, receivedMailRoutes } from '../received/received-mail-routes.ts';
import { explanationRoutes } from '../explain/explanation-routes.ts';
import { contactExportRoute, contactRoutes } from '../contacts/contact-routes.ts';
import { contactImportRoutes } from '../contacts/import/import-routes.ts';
import { fieldRoutes } from '../forms/field-routes.ts';
import { fieldWriteRoutes } from '../forms/field-write-routes.ts';
import { formRoutes } from '../forms/form-routes.ts';
import { formWriteRoutes } from '../forms/form-write-routes.ts';
import { alertRoutes } from '../alerts/alert-routes.ts';
import { annotationRoutes } from '../overview/annotation-routes.ts';
import { settingsRoutes } from '../instances/settings-routes.ts';
import { rightsRoutes } from '../rights/rights-routes.ts';
import { suppressionExportRoutes } from '../restrictions/export-routes.ts';
import { suppressionRoutes } from '../restrictions/routes.ts';
import { restrictionWriteRoutes } from '../restrictions/write-routes.ts';
import { templateRoutes } from '../templates/template-routes.ts';
import { templateWriteRoutes } from '../templates/template-write-routes.ts';
import { templateVersionRoutes } from '../templates/version-routes.ts';
import { webhookReadRoutes, webhookWriteRoutes } from '../webhooks/webhook-routes.ts';
import { audienceRoutes } from '../broadcasts/audience-routes.ts';
import { broadcastRoutes } from '../broadcasts/broadcast-routes.ts';
import {
  broadcastReportRoutes,
  broadcastTestRoutes,
  recipientExportRoutes,
} from '../broadcasts/report-routes.ts';
import { runRoutes } from '../broadcasts/run-routes.ts';
import type { Caller } from '../base/http/access.ts';
import type { ServiceContext } from './service-context.ts';
import { submissionExportRoutes } from '../forms/submission-routes.ts';
import { publicOperatorRoutes } from './operator-routes.ts';
import { panelRoutes } from './panel-routes.ts';
import type { RouteServices } from './route-services.ts';

/** Limits operations whose cost depends on the request. */
function fairLimit({ searches }: RouteServices): (operations: Operation[]) => Operation[] {
  return (operations) =>
    operations.map((each) => {
      const handle = each.handle as (call: { caller: Caller }) => Promise<unknown>;
      return {
        ...each,
        handle: async (call: { caller: Caller }) =>
          await searches(call.caller.instance.id, async () => await handle(call)),
      };
    });
}

/** Every operation of the service: the public ones, those of the panel only, and the public ones as the panel calls them. */
export function routes(
  context: ServiceContext,
  { live, services }: { live: LiveFeed; services: RouteServices },
): Operation[] {
  const limited = fairLimit(services);
  const published = publicRoutes(context, services, limited);
  const own = [...panelRoutes(context, services, limited), ...livePanelRoutes({ live })];
  return [...published, ...own, ...privateFaces(published, own)];
}

function publicRoutes(
  context: ServiceContext,
  services: RouteServices,
  limited: ReturnType<typeof fairLimit>,
): Operation[] {
  const { config, store, clock, acceptance, renderer, buckets } = context;
  const { exporting, domains, webhooks } = services;
  const { db } = store;
  return [
    ...sendRoutes({ acceptance, clock }),
    ...batchRoutes({ acceptance, clock, base_url: config.base_url }),
    ...limited([
      ...activityRoutes({ db, clock }),
      ...messageReadRoutes({ db, clock }),
      ...messageWriteRoutes({ db, clock }),
      ...explanationRoutes({ db, clock, platform_domain: config.platform_domain }),
      ...suppressionRoutes({ db, clock }),
      ...eventRoutes({ db, clock }),
      ...statsRoutes({ db, clock }),
      ...categoryRoutes({ db }),
      ...consentEventRoutes({ db, clock }),
      ...contactRoutes({ db, clock, hashes: services.rights.hashes }),
    ]),
    ...restrictionWriteRoutes({ db }),
    ...activityExportRoutes(exporting),
    ...suppressionExportRoutes(exporting),
    ...domainRoutes(domains),
    ...lookUpRoutes({ ...domains, buckets }),
    ...connectRoutes({ ...domains, buckets }),
    ...senderRoutes({ db }),
    ...smtpSettingsRoutes({
      base_url: config.base_url,
      ports: context.submission_ports,
    }),
    ...domainWriteRoutes(domains),
    ...senderWriteRoutes({ db }),
    ...templateRoutes({ db }),
    ...templateWriteRoutes({ db, renderer, buckets, previews_per_minute: config.previews_per_minute }),
    ...templateVersionRoutes({ db, renderer }),
    ...consentCatalogRoutes({ db }),
    ...purposeWriteRoutes({ db }),
    ...termWriteRoutes({ db }),
    ...termVersionRoutes({ db }),
    ...formRoutes({ db }),
    ...formWriteRoutes({ db }),
    ...submissionExportRoutes(exporting),
    ...fieldRoutes({ db }),
    ...fieldWriteRoutes({ db }),
    ...webhookReadRoutes(webhooks),
    ...webhookWriteRoutes(webhooks),
    ...consentExportRoutes(exporting),
    contactExportRoute(exporting),
    ...contactImportRoutes({ db, clock, hashes: services.rights.hashes }),
    ...resolveRoutes({ db, blocked: services.blocked }),
    ...inboundRouteRoutes({ db }),
    ...forwardAddressRoutes({
      db,
      secret: context.secret,
      base_url: config.base_url,
      ...services.platformMail,
    }),
    ...withdrawalRoutes({ db, clock }),
    ...forwardRoutes({ db }),
    ...limited([receivedListRoute({ db, clock, received_links: services.received_links })]),
    ...receivedMailRoutes({ db, clock, received_links: services.received_links }),
    ...rightsRoutes(services.rights),
    ...credentialRoutes({ db, clock }),
    ...settingsRoutes({ db }),
    ...alertRoutes({ db, clock }),
    ...annotationRoutes({ db, clock }),
    ...broadcastRoutes({ db, clock }),
    ...runRoutes({ db, clock }),
    ...limited([...audienceRoutes({ db, clock }), ...broadcastReportRoutes({ db, clock })]),
    ...recipientExportRoutes(exporting),
    ...broadcastTestRoutes({ db, acceptance, buckets }),
    ...publicOperatorRoutes(context),
  ];
}
