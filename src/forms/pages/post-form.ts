import { Problem } from '../../base/errors/problem.ts';
import type { HostedPage, VisitAnswer } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { MailLimitReached } from '../../limits/index.ts';
import { sourceOf } from '../../protocol/address/source-network.ts';
import { languageOf, messagePage } from '../../track/index.ts';
import { findFillableForm, isClosed, type FillableForm } from '../fillable-form.ts';
import { languageOfForm } from '../form-settings.ts';
import type { RawSubmission } from '../read-submission.ts';
import { readValid } from '../submit-form.ts';
import { takeSubmission } from '../take-submission.ts';
import { formMessage, formPage, honeypotName } from './form-page.ts';
import { formTexts } from './form-texts.ts';
import { evidenceOf, frameOf, framed, queryOf, type Context, type TokenRequest } from './form-visit.ts';
import { fieldsOf, rawSubmission } from './posted-fields.ts';
import { postUpdateRequest } from './update-pages.ts';

/** Households and offices share an address, and a popular form gets many visitors at once. */
const perAddress = { rate: 0.2, burst: 20 };
const perForm = { rate: 20, burst: 400 };

export async function postForm(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const { db, clock } = context;
  const ofReader = languageOf(request);
  const form = await findFillableForm(db, request.params.token);
  if (!form || isClosed(form)) {
    return { page: messagePage(ofReader, formTexts[ofReader].closed), status: 404 };
  }
  const lang = languageOfForm(form, ofReader);
  if (!(await takeTokens(context, form, request.ip))) {
    return { page: formMessage(lang, form, formTexts[lang].busy), status: 429 };
  }
  const fields = fieldsOf(request);
  const frame = frameOf(queryOf(request));
  const kept = [frame.is_framed ? framed : '', frame.scheme ? `scheme=${frame.scheme}` : ''].filter(Boolean);
  const outcome = form.type === 'update' ? 'link-sent' : form.requires_confirmation ? 'check-mail' : 'sent';
  const done = { location: `${form.public_token}?${[...kept, outcome].join('&')}` };
  // A bot gets the usual answer.
  if (fields.get(honeypotName)) return done;
  if (form.type === 'update') {
    const asked = await postUpdateRequest(context, form, { lang, fields, ip: request.ip, done });
    return 'page' in asked ? { ...asked, page: { ...asked.page, ...frame } } : asked;
  }
  const given = rawSubmission(form, fields);
  try {
    const submission = { read: readValid(form, given), evidence: evidenceOf(request, clock), lang };
    await takeSubmission(context, form, submission);
    return done;
  } catch (error) {
    // Do not reveal whether the address of another person has reached its limit.
    if (error instanceof MailLimitReached && error.limit === 'recipient') return done;
    const { page, status } = refusalPage(context, { form, lang, given, error });
    return { page: { ...page, ...frame }, status };
  }
}

interface Refused {
  form: FillableForm;
  lang: Language;
  given: RawSubmission;
  error: unknown;
}

/** Nothing was stored. */
function refusalPage(
  { log }: Context,
  { form, lang, given, error }: Refused,
): { page: HostedPage; status: number } {
  const words = formTexts[lang];
  if (error instanceof MailLimitReached) return { page: formMessage(lang, form, words.busy), status: 429 };
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'validation_error') {
    return { page: formPage(lang, form, { given, violations: error.facts.errors ?? [] }), status: 422 };
  }
  if (!form.requires_confirmation) throw error;
  const { id: form_id, instance_id } = form;
  log.warn({ code: error.code, form_id, instance_id }, 'a confirmation could not be sent');
  return { page: formMessage(lang, form, words.failed), status: 503 };
}

async function takeTokens({ buckets }: Context, form: FillableForm, ip: string): Promise<boolean> {
  const own = await buckets.take(`form ${form.id} ${sourceOf(ip)}`, 1, perAddress);
  return own.ok && (await buckets.take(`form ${form.id}`, 1, perForm)).ok;
}
