import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../../base/errors/problem.ts';
import { answerVisit, formRoute, type HostedPage, type VisitAnswer } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { answerErrors, languageOf, messagePage, takeForms } from '../../track/index.ts';
import { MailLimitReached } from '../../limits/index.ts';
import { sourceOf } from '../../protocol/address/source-network.ts';
import { countFormMail, sendConfirmation } from '../confirmation-mail.ts';
import { sendAutoReply } from '../auto-reply.ts';
import { findFillableForm, type FillableForm } from '../fillable-form.ts';
import type { RawSubmission } from '../read-submission.ts';
import { SubmissionTokens } from '../submission-token.ts';
import { submitForm, type Submission, type Submitted } from '../submit-form.ts';
import { showConfirmation, postConfirmation } from './confirmation-page.ts';
import { embedScript } from './embed-script.ts';
import { consent_name, formMessage, formPage, honeypot_name, version_name } from './form-page.ts';
import { formTexts } from './form-texts.ts';
import { evidenceOf, type Context, type FormPagesContext, type TokenRequest } from './form-visit.ts';

const max_body_bytes = 256 * 1024;
/** Households and offices share an address, and a popular form gets many visitors at once. */
const per_address = { rate: 0.2, burst: 20 };
const per_form = { rate: 20, burst: 400 };

/** Pages of forms and of the confirmation of a double opt-in. GET changes nothing. */
export function hostedFormPages(
  context: FormPagesContext,
): (app: FastifyInstance, address: { readonly base_url: string }) => void {
  return (app, address) => {
    const whole: Context = { ...context, tokens: new SubmissionTokens(context.secret), address };
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

/** Query of a framed page, with the colours of the page around it; redirects keep both. */
const framed = 'embed';

function frameOf(query: URLSearchParams): Pick<HostedPage, 'is_framed' | 'scheme'> {
  const scheme = query.get('scheme');
  const is_framed = query.has(framed);
  return { is_framed, scheme: is_framed && (scheme === 'light' || scheme === 'dark') ? scheme : undefined };
}

function queryOf({ url }: TokenRequest): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

/** The script that embeds the form in another site. It reads and stores nothing of the visitor. */
async function sendEmbedScript(
  { db, address }: Context,
  request: TokenRequest,
  reply: FastifyReply,
): Promise<string> {
  const form = await findFillableForm(db, request.params.token);
  reply
    .code(form ? 200 : 404)
    .type('text/javascript; charset=utf-8')
    .headers({ 'cache-control': 'public, max-age=300', 'cross-origin-resource-policy': 'cross-origin' });
  if (!form) return '';
  return embedScript(
    `${address.base_url}/f/${form.public_token}?${framed}`,
    form.settings?.title || form.name,
  );
}

/** It cannot be submitted whatever is filled in. */
function isClosed({ items, requires_confirmation, sender_email }: FillableForm): boolean {
  if (requires_confirmation && sender_email === null) return true;
  return items.some((item) => item.kind === 'closed_consent' && item.is_required);
}

async function postForm(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const { db, clock } = context;
  const lang = languageOf(request);
  const form = await findFillableForm(db, request.params.token);
  if (!form || isClosed(form)) return { page: messagePage(lang, formTexts[lang].closed), status: 404 };
  if (!(await takeTokens(context, form, request.ip))) {
    return { page: formMessage(lang, form, formTexts[lang].busy), status: 429 };
  }
  const fields = fieldsOf(request);
  const given = rawSubmission(form, fields);
  const frame = frameOf(queryOf(request));
  const kept = [frame.is_framed ? framed : '', frame.scheme ? `scheme=${frame.scheme}` : ''].filter(Boolean);
  const outcome = form.requires_confirmation ? 'check-mail' : 'sent';
  const done = { location: `${form.public_token}?${[...kept, outcome].join('&')}` };
  const shown = (page: HostedPage, status: number): VisitAnswer => ({ page: { ...page, ...frame }, status });
  // A bot gets the usual answer.
  if (fields.get(honeypot_name)) return done;
  try {
    const evidence = evidenceOf(request, clock);
    const submitted = await storeSubmission(context, form, { given, evidence });
    if (submitted.status === 'confirmed') {
      await sendAutoReply(context, { submission_id: submitted.id, lang, address: request.ip });
      return done;
    }
    if (await trySendConfirmation(context, form, { submitted, lang })) return done;
    return shown(formMessage(lang, form, formTexts[lang].failed), 503);
  } catch (error) {
    if (error instanceof MailLimitReached) {
      // Do not reveal whether somebody else's address has reached its limit.
      return error.limit === 'recipient' ? done : shown(formMessage(lang, form, formTexts[lang].busy), 429);
    }
    if (!(error instanceof Problem && error.code === 'validation_error')) throw error;
    return shown(formPage(lang, form, { given, violations: error.facts.errors ?? [] }), 422);
  }
}

/** A submission that nobody can be asked to confirm is not stored. */
async function storeSubmission(
  { db, mail_limits }: Context,
  form: FillableForm,
  submission: Submission,
): Promise<Submitted> {
  const actor = { kind: 'system', address: submission.evidence.address ?? undefined } as const;
  return await db.transaction(async (tx) => {
    const countMail = async ({ id, email }: Submitted): Promise<void> => {
      if (email === undefined) return;
      const asking = { action: 'confirmation_sent', form, submission: { id, email }, actor } as const;
      await countFormMail(tx, mail_limits, asking);
    };
    return await submitForm(tx, form, { ...submission, countMail });
  });
}

async function takeTokens({ buckets }: Context, form: FillableForm, ip: string): Promise<boolean> {
  const own = await buckets.take(`form ${form.id} ${sourceOf(ip)}`, 1, per_address);
  return own.ok && (await buckets.take(`form ${form.id}`, 1, per_form)).ok;
}

/** Other encodings are refused: they would be stored as a submission without answers. */
function fieldsOf({ body }: TokenRequest): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  if (body === undefined || body === null) return new URLSearchParams();
  throw new Problem('unsupported_media_type');
}

/** All submitted fields but the honeypot; unknown ones are refused later. */
function rawSubmission(form: FillableForm, fields: URLSearchParams): RawSubmission {
  const several = new Set(
    form.items.flatMap((item) =>
      item.kind === 'field' && item.field.type === 'multiselect' ? [item.field.field_key] : [],
    ),
  );
  // In one pass: `get` goes through all fields, and took 20 s for the 60,000 names that a body can have.
  const values = Map.groupBy(fields, ([key]) => key);
  const numbers = (name: string) => values.get(name)?.map(([, value]) => Number(value));
  const [consents, versions] = [numbers(consent_name), numbers(version_name)];
  for (const name of [honeypot_name, consent_name, version_name]) values.delete(name);
  const answers = Array.from(values, ([key, pairs]) => {
    const sent = pairs.map(([, value]) => value);
    return [key, several.has(key) ? sent : sent[0]] as const;
  });
  return {
    answers: Object.fromEntries(answers),
    consents: [...new Set(consents)],
    ...(versions ? { versions } : {}),
  };
}

/** False when the mail was refused: the submission stays pending and expires. */
async function trySendConfirmation(
  { db, acceptance, tokens, address, log }: Context,
  form: FillableForm,
  { submitted, lang }: { submitted: Submitted; lang: Language },
): Promise<boolean> {
  try {
    const { base_url } = address;
    await sendConfirmation({ db, acceptance, tokens, base_url }, form, { ...submitted, lang });
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { id: form_id, instance_id } = form;
    log.warn({ code: error.code, form_id, instance_id }, 'a confirmation could not be sent');
    return false;
  }
}
