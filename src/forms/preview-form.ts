import type { Queryable } from '../base/db/database.ts';
import type { Violation } from '../base/errors/problem.ts';
import { renderPreview } from '../base/http/hosted-page.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { replyMail } from './auto-reply.ts';
import { confirmationMail } from './confirmation-mail.ts';
import { resolveItems, type FillableItem } from './fillable-form.ts';
import { mailHtml, type FormMail } from './form-mail.ts';
import type { Form, NewFormItem } from './form-schemas.ts';
import { validateFormSettings, type FormSettings } from './form-settings.ts';
import { getForm } from './forms.ts';
import { formMessage, formPage } from './pages/form-page.ts';
import { formTexts } from './pages/form-texts.ts';
import { findNamed, validateItems } from './validate-items.ts';

export const previewedPages = ['form', 'sent', 'check_mail', 'confirmation_mail', 'auto_reply'] as const;

export interface UnsavedForm {
  id?: number | null;
  name: string;
  kind: Form['kind'];
  settings?: FormSettings | null;
  items: NewFormItem[];
  page?: (typeof previewedPages)[number];
  lang?: Language;
  scheme?: 'light' | 'dark';
}

/** The page of a form as it would be saved. What could not be saved is a problem, and the rest is shown. */
export async function previewForm(
  db: Queryable,
  instanceId: number,
  form: UnsavedForm,
): Promise<{ html: string; problems: Violation[] }> {
  const { id, name, kind, items, settings = null, page = 'form', lang = 'en', scheme } = form;
  const present = id ? await getForm(db, instanceId, id) : undefined;
  const kept = new Set(present?.items.flatMap(({ field_id }) => field_id ?? []));
  const refused = validateFormSettings(settings);
  const problems = [
    ...refused,
    ...validateItems(items, await findNamed(db, instanceId, items), { kind, kept }),
  ];
  const shown = { name, settings: withoutRefused(settings, refused) };
  const resolved = await resolveItems(db, instanceId, items);
  if (page === 'confirmation_mail' || page === 'auto_reply') {
    const mail = page === 'auto_reply' ? replyMail(lang, shown) : sampleConfirmation(lang, shown, resolved);
    return { html: mailHtml(mail, shown), problems };
  }
  const hosted =
    page === 'form'
      ? formPage(lang, { ...shown, items: resolved })
      : formMessage(lang, shown, formTexts[lang][page]);
  return { html: renderPreview({ ...hosted, scheme }), problems };
}

/** To somebody who agreed to everything. */
function sampleConfirmation(
  lang: Language,
  { name, settings }: { name: string; settings: FormSettings | null },
  items: FillableItem[],
): FormMail {
  const consents = items.flatMap((item) => (item.kind === 'consent' ? [item.consent] : []));
  return confirmationMail(lang, { title: settings?.title || name, link: '#', consents });
}

/** Style sheets and pictures are put into the page as they are, which is safe: they were sanitised when they were saved. */
function withoutRefused(settings: FormSettings | null, refused: Violation[]): FormSettings | null {
  if (!settings || refused.some(({ pointer }) => pointer === '/settings')) return null;
  if (!settings.design) return settings;
  const members = new Set(refused.map(({ pointer }) => pointer.replace('/settings/design/', '')));
  const kept = Object.entries(settings.design).filter(([member]) => !members.has(member));
  return { ...settings, design: Object.fromEntries(kept) };
}
