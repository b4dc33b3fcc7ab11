import { Problem } from '../../base/errors/problem.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { VisitAnswer } from '../../base/http/hosted-page.ts';
import { languageOf, messagePage } from '../../track/index.ts';
import { languageOfForm } from '../form-settings.ts';
import { confirmSubmission } from '../settle-submission.ts';
import { sendAutoReply } from '../auto-reply.ts';
import { findGivenConsents } from '../submission-consents.ts';
import { formMessage, termHtml } from './form-page.ts';
import { formTexts } from './form-texts.ts';
import { evidenceOf, type Context, type TokenRequest, withRights } from './form-visit.ts';
import { findPendingSubmission } from './pending-submission.ts';

/** Asks before it confirms: mail scanners follow every link. */
export async function showConfirmation(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const { db, clock, tokens } = context;
  const ofReader = languageOf(request);
  const waiting = await findPendingSubmission(db, tokens.read(request.params.token), clock.now());
  if (!waiting) return { page: messagePage(ofReader, formTexts[ofReader].expired), status: 404 };
  const lang = languageOfForm(waiting, ofReader);
  const words = formTexts[lang];
  if (waiting.status === 'confirmed')
    return { page: withRights(context, waiting, formMessage(lang, waiting, words.confirmed)) };
  if (waiting.status === 'expired') {
    return { page: formMessage(lang, waiting, words.expired), status: 410 };
  }
  const { title, text, button } = words.confirm;
  const page = formMessage(lang, waiting, { title, text: text(waiting.settings?.title || waiting.name) });
  const consents = await findGivenConsents(db, waiting.id);
  return {
    page: withRights(context, waiting, {
      ...page,
      main: `${page.main}\n${consents.map((consent) => termHtml(lang, consent)).join('\n')}\n<form method="post"><button>${escapeHtml(button)}</button></form>`,
    }),
  };
}

/** Redirects to the page, which shows the result. */
export async function postConfirmation(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const { db, clock, tokens, hashes } = context;
  const id = tokens.read(request.params.token);
  if (id !== undefined) {
    const evidence = evidenceOf(request, clock);
    try {
      await db.transaction(async (tx) => await confirmSubmission(tx, id, { hashes, evidence }));
      await sendAutoReply(context, { submission_id: id, lang: languageOf(request), address: request.ip });
    } catch (error) {
      if (!(error instanceof Problem && error.code.startsWith('form_submission_not_'))) throw error;
    }
  }
  return { location: encodeURIComponent(request.params.token) };
}
