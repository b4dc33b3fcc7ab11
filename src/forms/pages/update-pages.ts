import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage, VisitAnswer } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { limitMailOfNetwork, MailLimitReached } from '../../limits/index.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import { languageOf, messagePage } from '../../track/index.ts';
import { Problem } from '../../base/errors/problem.ts';
import { sendUpdateLink } from '../ask-update.ts';
import { findContactAnswers, type ContactAnswers } from '../contact-answers.ts';
import { findDefaultForm } from '../default-form.ts';
import { type FillableForm, findFillableForm, isClosed } from '../fillable-form.ts';
import { languageOfForm } from '../form-settings.ts';
import { findStandingConsents } from '../standing-consents.ts';
import { readValid } from '../submit-form.ts';
import { takeUpdate } from '../take-update.ts';
import { findLink, type UpdateLink } from '../update-links.ts';
import { askPage, formMessage, formPage } from './form-page.ts';
import { formTexts } from './form-texts.ts';
import { evidenceOf, type Context, type TokenRequest } from './form-visit.ts';
import { agreedOf, fieldsOf, rawSubmission } from './posted-fields.ts';

/** Where a form of type update begins: it asks for the address to which the link goes. */
export async function updateAskPage(
  { db, base_url }: Pick<Context, 'db' | 'base_url'>,
  form: FillableForm,
  { lang, refused }: { lang: Language; refused?: string },
): Promise<HostedPage> {
  const found = await findDefaultForm(db, form.instance_id, 'registration');
  const other = found && { title: found.title, url: `${base_url}/f/${found.public_token}` };
  return askPage(lang, form, { refused, other });
}

interface Asking {
  lang: Language;
  fields: URLSearchParams;
  ip: string;
  done: VisitAnswer;
}

/** The answer is the same, and as fast, whether or not anything is known about the address. */
export async function postUpdateRequest(
  context: Context,
  form: FillableForm,
  { lang, fields, ip, done }: Asking,
): Promise<VisitAnswer> {
  const given = (fields.get('EMAIL') ?? '').slice(0, 320);
  const email = canonicalAddress(given)?.address;
  if (email === undefined) {
    return { page: await updateAskPage(context, form, { lang, refused: given }), status: 422 };
  }
  const { db, mail_limits, clock, log } = context;
  const { id: form_id, instance_id } = form;
  try {
    await limitMailOfNetwork(db, mail_limits, ip);
    const asked = { email, lang, address: ip, at: clock.now() };
    context.afterAnswer(async () => {
      try {
        await sendUpdateLink(context, form, asked);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        log.warn({ code: error.code, form_id, instance_id }, 'a link to a form was not sent');
      }
    });
    return done;
  } catch (error) {
    if (!(error instanceof MailLimitReached)) throw error;
    return { page: formMessage(lang, form, formTexts[lang].busy), status: 429 };
  }
}

interface Opened {
  link: UpdateLink;
  form: FillableForm;
  contactAnswers: ContactAnswers;
}

/** The link with its form, or the page that says why there is no form. */
async function openLink(context: Context, request: TokenRequest): Promise<Opened | { refusal: VisitAnswer }> {
  const { db, clock, update_tokens } = context;
  const ofReader = languageOf(request);
  const link = await findLink(db, update_tokens.read(request.params.token), clock.now());
  const form = link && (await findFillableForm(db, link.public_token));
  if (!link || !form || form.type !== 'update' || isClosed(form)) {
    return { refusal: { page: messagePage(ofReader, formTexts[ofReader].link_over), status: 404 } };
  }
  const lang = languageOfForm(form, ofReader);
  if (link.state === 'used') return { refusal: { page: formMessage(lang, form, formTexts[lang].updated) } };
  const contactAnswers = await findContactAnswers(db, form.instance_id, link.email);
  // Blocked since the link was sent.
  if (link.state === 'over' || !contactAnswers) return { refusal: overPage(context, lang, form) };
  return { link, form, contactAnswers };
}

function overPage({ base_url }: Context, lang: Language, form: FillableForm): VisitAnswer {
  const { link_over } = formTexts[lang];
  const page = formMessage(lang, form, link_over);
  const again = `<p><a href="${base_url}/f/${form.public_token}">${escapeHtml(link_over.again)}</a></p>`;
  return { page: { ...page, main: `${page.main}\n${again}` }, status: 410 };
}

/** The form with what the contact told before: of these, what it asks for. */
export async function showUpdate(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const opened = await openLink(context, request);
  if ('refusal' in opened) return opened.refusal;
  const { link, form, contactAnswers } = opened;
  const lang = languageOfForm(form, languageOf(request));
  const agreed = [...(await findStandingConsents(context.db, form, link.email))];
  const given = { answers: prefilled(contactAnswers, link.email), consents: agreed };
  return { page: formPage(lang, form, { given, violations: [], opened_by: { email: link.email, agreed } }) };
}

/** As a page would post them. */
function prefilled(contactAnswers: ContactAnswers, email: string): Record<string, unknown> {
  const values = Object.entries(contactAnswers).map(([key, answer]) => [
    key,
    Array.isArray(answer) ? answer : String(answer),
  ]);
  return { ...Object.fromEntries(values), EMAIL: email };
}

/** Redirects to the page, which then says that the link was used. */
export async function postUpdate(context: Context, request: TokenRequest): Promise<VisitAnswer> {
  const opened = await openLink(context, request);
  if ('refusal' in opened) return opened.refusal;
  const { link, form } = opened;
  const lang = languageOfForm(form, languageOf(request));
  const fields = fieldsOf(request);
  const posted = rawSubmission(form, fields);
  const given = { ...posted, answers: { ...posted.answers, EMAIL: link.email } };
  const shown_agreed = agreedOf(fields);
  const done = { location: encodeURIComponent(request.params.token) };
  try {
    const read = readValid(form, given);
    const evidence = evidenceOf(request, context.clock);
    await takeUpdate(context, form, { read, evidence, lang, link, shown_agreed });
    return done;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'form_submission_not_pending') return done;
    if (error.code !== 'validation_error') throw error;
    const opened_by = { email: link.email, agreed: shown_agreed };
    const page = formPage(lang, form, { given, violations: error.facts.errors ?? [], opened_by });
    return { page, status: 422 };
  }
}
