import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerVisit, formRoute, type VisitAnswer } from '../../base/http/hosted-page.ts';
import { ContactHashes } from '../../base/contact-hash.ts';
import { answerErrors, languageOf, messagePage, takeForms } from '../../track/index.ts';
import { findFillableForm, isClosed } from '../fillable-form.ts';
import { SubmissionTokens } from '../submission-token.ts';
import { showConfirmation, postConfirmation } from './confirmation-page.ts';
import { embedScript } from './embed-script.ts';
import { formMessage, formPage } from './form-page.ts';
import { formTexts } from './form-texts.ts';
import {
  frameOf,
  framed,
  queryOf,
  type Context,
  type FormPagesContext,
  type TokenRequest,
} from './form-visit.ts';
import { postForm } from './post-form.ts';

const max_body_bytes = 256 * 1024;

/** Pages of forms and of the confirmation of a double opt-in. GET changes nothing. */
export function hostedFormPages(
  context: FormPagesContext,
): (app: FastifyInstance, address: { readonly base_url: string }) => void {
  return (app, address) => {
    const whole: Context = {
      ...context,
      tokens: new SubmissionTokens(context.secret),
      hashes: new ContactHashes(context.secret),
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
      scope.post('/f/:token', formRoute('submit_form', max_body_bytes), route(postForm));
      scope.get(
        '/confirm/:token',
        { config: { operation_id: 'show_confirmation' } },
        route(showConfirmation),
      );
      scope.post('/confirm/:token', formRoute('confirm_submission', max_body_bytes), route(postConfirmation));
    });
  };
}

async function showForm({ db }: Context, request: TokenRequest): Promise<VisitAnswer> {
  const lang = languageOf(request);
  const form = await findFillableForm(db, request.params.token);
  const words = formTexts[lang];
  if (!form || isClosed(form)) return { page: messagePage(lang, words.closed), status: 404 };
  const query = queryOf(request);
  const page = query.has('sent')
    ? formMessage(lang, form, words.sent)
    : query.has('check-mail')
      ? formMessage(lang, form, words.check_mail)
      : formPage(lang, form);
  return { page: { ...page, ...frameOf(query) } };
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
