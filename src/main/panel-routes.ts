import { resendPanelRoutes } from '../accept/resend-panel-routes.ts';
import { overviewPanelRoutes } from '../overview/overview-panel-routes.ts';
import { mailPanelRoutes } from '../activity/mail-panel-routes.ts';
import { auditExportRoutes } from '../exports/audit-export.ts';
import { operatorRoutes } from './operator-routes.ts';
import { messagePanelRoutes } from '../deliver/message-panel-routes.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { termPanelRoute } from '../consent/catalogue/term-panel-routes.ts';
import { consentChainPanelRoutes } from '../consent/chain/chain-panel-routes.ts';
import { consentEvidencePanelRoutes } from '../consent/evidence/evidence-panel-routes.ts';
import { consentEventPanelRoutes } from '../consent/record/event-panel-routes.ts';
import { sandboxPanelRoutes } from '../sandbox/sandbox-panel-routes.ts';
import { domainPanelRoute } from '../domains/domain-panel-routes.ts';
import { inboundPanelRoutes } from '../inbound/inbound-panel-routes.ts';
import { formPreviewPanelRoutes } from '../forms/form-preview-panel-routes.ts';
import { confirmationPanelRoutes } from '../forms/confirmation-panel-routes.ts';
import { acceptanceRoutes } from '../accounts/acceptance-routes.ts';
import { meRoutes } from '../accounts/me-routes.ts';
import { savedViewRoutes } from '../accounts/saved-view-routes.ts';
import { passwordRecoveryRoutes } from '../accounts/password-recovery-routes.ts';
import { sessionPanelRoutes } from '../accounts/session-panel-routes.ts';
import { createSignInContext } from '../accounts/sign-in.ts';
import { twoFactorRoutes } from '../accounts/two-factor-routes.ts';
import { panelAccessRoutes } from '../accounts/panel-routes.ts';
import { createSessionAnswer } from '../accounts/session-answer.ts';
import { passkeyRoutes } from '../accounts/passkeys/passkey-routes.ts';
import { createProvider } from '../accounts/single-sign-on/provider.ts';
import { singleSignOnRoutes } from '../accounts/single-sign-on/single-sign-on-routes.ts';
import { auditPanelRoutes } from '../audit/audit-panel-routes.ts';
import { alertPanelRoutes } from '../alerts/alert-routes.ts';
import { teamPanelRoutes } from '../accounts/team-panel-routes.ts';
import { queuePanelRoutes } from '../queue/panel-routes.ts';
import { rightsPanelRoute } from '../rights/rights-routes.ts';
import { templateAnalysisPanelRoutes } from '../templates/analysis-panel-routes.ts';
import { templateReadingPanelRoutes } from '../templates/reading-panel-routes.ts';
import { testSendPanelRoutes } from '../accept/test-send-panel-routes.ts';
import { webhookPanelRoutes } from '../webhooks/webhook-panel-routes.ts';
import { submissionPanelRoutes } from '../forms/submission-routes.ts';
import type { Operation } from '../base/http/operation.ts';
import { createFairLimiter } from '../base/fair-limiter.ts';
import type { ServiceContext } from './service-context.ts';
import type { RouteServices } from './route-services.ts';

/** What the panel can do and the public API cannot, room by room. What reads as much as it is asked for is `limited`. */
export function panelRoutes(
  context: ServiceContext,
  services: RouteServices,
  limited: (operations: Operation[]) => Operation[],
): Operation[] {
  const { config, store, clock, log, secret, acceptance, renderer, buckets } = context;
  const { exporting, domains, webhooks, platformMail, blocked } = services;
  const { db } = store;
  const { base_url, previews_per_minute } = config;
  const signing = createSignInContext({ db, secret, clock, base_url });
  const answer = createSessionAnswer({ db, secret, clock, base_url });
  const provider = config.oidc && createProvider(config.oidc, base_url);
  return [
    ...operatorRoutes(context),
    ...panelAccessRoutes({ db, secret, clock, base_url, signing, answer }),
    ...passkeyRoutes({ ...signing, answer }),
    ...singleSignOnRoutes({ ...signing, log, base_url, provider, answer }),
    ...meRoutes({ db }),
    ...savedViewRoutes({ db, clock }),
    ...sessionPanelRoutes({ db, clock }),
    ...twoFactorRoutes(signing),
    ...passwordRecoveryRoutes({
      db,
      clock,
      log,
      base_url,
      ...platformMail,
      checks: signing.checks,
    }),
    ...limited([
      ...auditPanelRoutes({ db, clock, blocked }),
      ...overviewPanelRoutes({ db, clock }),
      ...inboundPanelRoutes({ db, clock, blocked }),
      ...consentChainPanelRoutes({ db }),
      ...consentEvidencePanelRoutes({ db, clock }),
      ...submissionPanelRoutes({ db, clock }),
      ...sandboxPanelRoutes({ db, clock }),
    ]),
    ...auditExportRoutes({ ...exporting, blocked }),
    ...mailPanelRoutes({ db, clock }),
    ...resendPanelRoutes({ db, clock, acceptance, renderer, base_url, tokens: new MailTokens(secret) }),
    ...alertPanelRoutes({ db, clock }),
    ...teamPanelRoutes({ db, clock, base_url, ...platformMail }),
    ...acceptanceRoutes({ db, clock }),
    domainPanelRoute({ ...domains, ...platformMail }),
    ...templateReadingPanelRoutes({ db, renderer }),
    ...templateAnalysisPanelRoutes({ renderer, buckets, previews_per_minute }),
    ...testSendPanelRoutes({ db, acceptance, renderer, buckets }),
    termPanelRoute({ db }),
    ...consentEventPanelRoutes({ db, clock }),
    ...webhookPanelRoutes(webhooks),
    ...formPreviewPanelRoutes({ db }),
    ...confirmationPanelRoutes({
      db,
      clock,
      secret,
      acceptance,
      base_url,
      mail_limits: platformMail.mail_limits,
    }),
    rightsPanelRoute(services.rights),
    ...queuePanelRoutes({ db }),
    ...messagePanelRoutes({
      db,
      clock,
      build: services.preview,
      limiter: createFairLimiter({ concurrency: 2, per_owner: 1, max_waiting: 40 }),
    }),
  ];
}
