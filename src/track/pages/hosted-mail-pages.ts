import type { FastifyInstance } from 'fastify';
import { recordComplaint, recordResubscribe, recordUnsubscribe } from '../../events/index.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import { scanLinks } from '../../protocol/html/scan-links.ts';
import { messagePage, withRightsLink } from './page-parts.ts';
import { answerErrors, evidenceOf, fieldsOf, takeForms, withMail, type PagesContext } from './page-visit.ts';
import { offeredType, reportPage } from './report-page.ts';
import type { ShownMail } from './shown-mail.ts';
import { findShownMessage } from './shown-message.ts';
import { texts } from './texts.ts';
import { findOtherPurposes } from './other-purposes.ts';
import { readAction, readOthers, resubscribedPage, unsubscribePage } from './unsubscribe-page.ts';
import { viewPolicy, viewPage } from './view-page.ts';

const maxBodyBytes = 64 * 1024;

/**
 * Pages that links in mail lead to. The token authorises, so no sign-in is needed and CSRF has no session to abuse.
 * GET changes nothing, since scanners follow every link.
 */
export function hostedMailPages(
  context: PagesContext,
): (app: FastifyInstance, address: { readonly base_url: string }) => void {
  return (app, address) => {
    app.register(async (scope) => {
      takeForms(scope);
      answerErrors(scope, context.log);
      unsubscribeRoutes(scope, context, address);
      reportRoutes(scope, context);
      viewRoute(scope, context, address);
    });
  };
}

function form(operation_id: string) {
  // These forms have no files.
  return { bodyLimit: maxBodyBytes, config: { operation_id, max_file_bytes: 0 } };
}

const cameBack = '?back';

function unsubscribeRoutes(
  scope: FastifyInstance,
  context: PagesContext,
  address: { readonly base_url: string },
): void {
  const { db, clock } = context;
  const withRights = (page: HostedPage, { instance_id }: ShownMail): HostedPage => {
    const path = context.rightsPathOf?.(instance_id);
    return withRightsLink(page, path === undefined ? undefined : `${address.base_url}${path}`);
  };
  const offered = async (mail: ShownMail) => {
    const [found, others] = await Promise.all([
      context.findUpdateForm(mail.instance_id),
      findOtherPurposes(db, mail),
    ]);
    return {
      others,
      update: found && { title: found.title, url: `${address.base_url}/f/${found.public_token}` },
    };
  };
  scope.get(
    '/u/:token',
    { config: { operation_id: 'show_unsubscribe_page' } },
    withMail(context, 'unsubscribe', async ({ request, lang, mail }) => {
      const isBack = request.url.endsWith(cameBack) && !mail.is_unsubscribed;
      if (isBack) return { page: withRights(resubscribedPage(lang, mail), mail) };
      return { page: withRights(unsubscribePage(lang, mail, await offered(mail)), mail) };
    }),
  );
  scope.post(
    '/u/:token',
    form('unsubscribe_by_page'),
    withMail(context, 'unsubscribe', async ({ request, lang, mail }) => {
      const field = fieldsOf(request);
      const recorded = { mail_id: mail.mail_id, at: clock.now(), evidence: evidenceOf(request) };
      const action = readAction(field);
      if (action === 'one_click') {
        // A one-click request follows no redirects (RFC 8058 §3.1) and has no reason.
        await recordUnsubscribe(db, { ...recorded, method: 'one_click', reason: null });
        return { page: unsubscribePage(lang, { ...mail, is_unsubscribed: true }) };
      }
      if (action === 'unsubscribe') {
        await recordUnsubscribe(db, {
          ...recorded,
          method: 'page',
          reason: field('reason') ?? null,
          ...readOthers(field, await findOtherPurposes(db, mail)),
        });
        return { again: '' };
      }
      if (action === 'resubscribe') {
        await recordResubscribe(db, recorded);
        return { again: cameBack };
      }
      const alarm = texts[lang].unsubscribe.unclear;
      return { page: unsubscribePage(lang, mail, { alarm, ...(await offered(mail)) }), status: 400 };
    }),
  );
}

function reportRoutes(scope: FastifyInstance, context: PagesContext): void {
  const { db, clock } = context;
  scope.get(
    '/report/:token',
    { config: { operation_id: 'show_report_page' } },
    withMail(context, 'report', async ({ lang, mail }) => ({ page: reportPage(lang, mail) })),
  );
  scope.post(
    '/report/:token',
    form('report_by_page'),
    withMail(context, 'report', async ({ request, lang, mail }) => {
      const field = fieldsOf(request);
      const type = offeredType(field('type'));
      const comment = field('comment') ?? '';
      if (!type) return { page: reportPage(lang, mail, { comment }), status: 422 };
      await recordComplaint(db, { mail_id: mail.mail_id, type, comment, at: clock.now() });
      return { again: '' };
    }),
  );
}

function viewRoute(
  scope: FastifyInstance,
  context: PagesContext,
  address: { readonly base_url: string },
): void {
  const { db, tokens, renderer, tracking } = context;
  scope.get(
    '/view/:token',
    { config: { operation_id: 'view_message' } },
    withMail(context, 'view', async ({ lang, mail }) => {
      const { base_url } = address;
      // Its links lead on without us.
      if (!mail.is_enabled) return { page: messagePage(lang, texts[lang].view.disabled), status: 403 };
      const message = await findShownMessage(db, mail.mail_id, { tokens, renderer, base_url });
      const links = message ? scanLinks(message.html, { opt_out: '' }).links : [];
      if (links.some(({ url }) => tracking.isTakenDown(URL.parse(url)?.href ?? ''))) {
        return { page: messagePage(lang, texts[lang].view.taken_down), status: 410 };
      }
      if (message) return { page: viewPage(lang, mail, message), policy: viewPolicy };
      return { page: messagePage(lang, texts[lang].view.gone), status: 410 };
    }),
  );
}
