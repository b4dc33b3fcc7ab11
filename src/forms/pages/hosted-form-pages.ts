import type { FastifyInstance, FastifyReply } from 'fastify';
import { createAfterAnswer } from '../../base/after-answer.ts';
import { answerVisit, formRoute, type HostedPage, type VisitAnswer } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { ContactHashes } from '../../base/contact-hash.ts';
import { answerErrors, languageOf, messagePage, takeForms } from '../../track/index.ts';
import { type FillableForm, findFillableForm, isClosed } from '../fillable-form.ts';
import { languageOfForm } from '../form-settings.ts';
import { SubmissionTokens } from '../submission-token.ts';
import { UpdateTokens } from '../update-links.ts';
import { showConfirmation, postConfirmation } from './confirmation-page.ts';
import { embedScript } from './embed-script.ts';
import { formMessage, formPage } from './form-page.ts';
import { formTexts } from './form-texts.ts';
import {
  frameOf,
  framed,
  queryOf,
  withRights,
  type Context,
  type FormPagesContext,
  type TokenRequest,
} from './form-visit.ts';
import { postForm } from './post-form.ts';
import { postUpdate, showUpdate, updateAskPage } from './update-pages.ts';

const maxBodyBytes = 256 * 1024;
/** Links to forms that are looked up and written after their answers. */
const max_in_progress = 50;

/** Pages of forms, of the confirmation of a double opt-in, and of links to change what was told. GET changes nothing. */
export function hostedFormPages(
  context: FormPagesContext,
): (app: FastifyInstance, address: { readonly base_url: string }) => void {
  return (app, address) => {
    const whole: Context = {
      ...context,
      tokens: new SubmissionTokens(context.secret),
      update_tokens: new UpdateTokens(context.secret),
      hashes: new ContactHashes(context.secret),
      afterAnswer: createAfterAnswer({
        log: context.log,
        failure: 'a link to a form could not be written',
        max_in_progress,
      }),
      // With port 0 it is known only once the listener has one.
      get base_url() {
        return address.base_url;
      },
    };
    const route = (handle: (context: Context, request: TokenRequest) => Promise<VisitAnswer>) => {
      return async (request: TokenRequest, reply: FastifyReply): Promise<string> =>
        answerVisit(reply, await handle(whole, request));
    };
    app.register(async (scope) => {
      takeForms(scope);
      answerErrors(scope, context.log);
      scope.get('/f/:token', { config: { operation_id: 'show_form' } }, route(showForm));
      scope.get(
        '/f/:token/embed.js',
        { config: { operation_id: 'embed_form' } },
        async (request: TokenRequest, reply) => await sendEmbedScript(whole, request, reply),
      );
      scope.post('/f/:token', formRoute('submit_form', maxBodyBytes), route(postForm));
      scope.get(
        '/confirm/:token',
        { config: { operation_id: 'show_confirmation' } },
        route(showConfirmation),
      );
      scope.post('/confirm/:token', formRoute('confirm_submission', maxBodyBytes), route(postConfirmation));
      scope.get('/update/:token', { config: { operation_id: 'show_form_update' } }, route(showUpdate));
      scope.post('/update/:token', formRoute('submit_form_update', maxBodyBytes), route(postUpdate));
    });
  };
}

async function showForm(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const { db } = context;
  const lang = languageOf(request);
  const form = await findFillableForm(db, request.params.token);
  if (!form || isClosed(form)) return { page: messagePage(lang, formTexts[lang].closed), status: 404 };
  const query = queryOf(request);
  const page = await pageOf(context, form, { lang: languageOfForm(form, lang), query });
  return { page: { ...withRights(context, form, page), ...frameOf(query) } };
}

async function pageOf(
  context: Context,
  form: FillableForm,
  { lang, query }: { lang: Language; query: URLSearchParams },
): Promise<HostedPage> {
  const words = formTexts[lang];
  if (query.has('link-sent')) return formMessage(lang, form, words.link_sent);
  if (form.type === 'update') return await updateAskPage(context, form, { lang });
  if (query.has('sent')) return formMessage(lang, form, words.sent);
  return query.has('check-mail') ? formMessage(lang, form, words.check_mail) : formPage(lang, form);
}

/** The script that embeds the form in another site. It reads and stores nothing of the visitor. */
async function sendEmbedScript(
  { db, base_url }: Context,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<string> {
  const form = await findFillableForm(db, request.params.token);
  reply
    .code(form ? 200 : 404)
    .type('text/javascript; charset=utf-8')
    .headers({ 'cache-control': 'public, max-age=300', 'cross-origin-resource-policy': 'cross-origin' });
  if (!form) return '';
  return embedScript(`${base_url}/f/${form.public_token}?${framed}`, form.settings?.title || form.name);
}
