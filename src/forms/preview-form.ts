import type { Queryable } from '../base/db/database.ts';
import type { Violation } from '../base/errors/problem.ts';
import { renderPreview } from '../base/http/hosted-page.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { updateLinkMail } from './ask-update.ts';
import { replyMail } from './auto-reply.ts';
import { confirmationMail } from './confirmation-mail.ts';
import { type FillableForm, resolveItems, type FillableItem } from './fillable-form.ts';
import { mailHtml, type FormMail } from './form-mail.ts';
import type { Form, NewFormItem } from './form-schemas.ts';
import { validateFormSettings, type FormSettings } from './form-settings.ts';
import { getForm } from './forms.ts';
import { askPage, formMessage, formPage } from './pages/form-page.ts';
import { formTexts } from './pages/form-texts.ts';
import { findNamed, validateItems } from './validate-items.ts';

export const previewedPages = [
  'form',
  'sent',
  'check_mail',
  'confirmation_mail',
  'auto_reply',
  'ask_address',
  'link_sent',
  'updated',
  'update_mail',
] as const;

export interface UnsavedForm {
  id?: number | null;
  name: string;
  kind: Form['kind'];
  type?: Form['type'];
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
  const { type = present?.type } = form;
  const html = sampleOf(page, { ...shown, type, lang, scheme, items: resolved });
  return { html, problems };
}

interface Sample extends Pick<FillableForm, 'name' | 'settings' | 'items'> {
  type: Form['type'] | undefined;
  lang: Language;
  scheme: UnsavedForm['scheme'];
}

function sampleOf(page: (typeof previewedPages)[number], form: Sample): string {
  const { lang, scheme, items, type } = form;
  const title = form.settings?.title || form.name;
  switch (page) {
    case 'auto_reply':
      return mailHtml(replyMail(lang, form), form);
    case 'confirmation_mail':
      return mailHtml(sampleConfirmation(lang, form, items), form);
    case 'update_mail':
      return mailHtml(updateLinkMail(lang, { title, link: '#' }), form);
    case 'ask_address':
      return renderPreview({ ...askPage(lang, form), scheme });
    case 'form':
      return renderPreview({ ...formPage(lang, form, type === 'update' ? opened : undefined), scheme });
    case 'sent':
    case 'check_mail':
    case 'link_sent':
    case 'updated':
      break;
  }
  return renderPreview({ ...formMessage(lang, form, formTexts[lang][page]), scheme });
}

/** As by the link of a person who gave only their address. */
const opened = {
  given: { answers: { EMAIL: 'ana@example.com' }, consents: [] },
  violations: [],
  opened_by: { email: 'ana@example.com', agreed: [] },
};

/** To a person who agreed to everything. */
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
