import type { Draft } from '../accept/index.ts';
import { light, systemFont } from '../base/brand.ts';
import { readableOn } from '../base/colour-contrast.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { escapeHtml } from '../base/http/html.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { FillableForm } from './fillable-form.ts';

/** What a mail of a form says, before it is HTML and text. */
export interface FormMail {
  lang: Language;
  heading: string;
  paragraphs: string[];
  quotes?: { title: string; body: string }[];
  button?: { label: string; url: string };
  /** Below a line, in small letters. */
  small: string[];
}

type Owner = Pick<FillableForm, 'name' | 'settings'>;

/** One column of tables with inline styles, which every mail program shows. No picture, nothing that is loaded. */
export function mailHtml(mail: FormMail, { settings, name }: Owner): string {
  const accent = settings?.design?.primary_color || light.accent;
  const title = escapeHtml(settings?.title || name);
  const text = (content: string, style: string): string =>
    `<p style="margin:0 0 16px;${style}">${escapeHtml(content).replaceAll('\n', '<br>')}</p>`;
  const body = [
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;color:${light.ink}">${escapeHtml(mail.heading)}</h1>`,
    ...mail.paragraphs.map((paragraph) => text(paragraph, '')),
    ...(mail.quotes ?? []).map(quoteHtml),
    mail.button ? buttonHtml(mail.button, accent) : '',
  ];
  const small = mail.small.map((line) => text(line, `font-size:13px;line-height:20px;color:${light.soft}`));
  return `<!doctype html>
<html lang="${mail.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light"><title>${escapeHtml(mail.heading)}</title></head>
<body style="margin:0;padding:0;background:${light.paper};color:${light.ink};font:16px/24px ${escapeHtml(systemFont)}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${light.paper}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${light.card};border:1px solid ${light.line};border-radius:12px">
<tr><td style="padding:18px 28px;border-top:4px solid ${accent};border-radius:12px 12px 0 0;font-weight:600">${title}</td></tr>
<tr><td style="padding:10px 28px 12px;overflow-wrap:anywhere">${body.join('\n')}</td></tr>
<tr><td style="padding:16px 28px 4px;border-top:1px solid ${light.line};overflow-wrap:anywhere">${small.join('\n')}</td></tr>
</table></td></tr></table></body></html>
`;
}

function quoteHtml({ title, body }: { title: string; body: string }): string {
  return `<blockquote style="margin:0 0 16px;padding:12px 16px;background:${light.paper};border-left:3px solid ${light.edge};font-size:14px;line-height:21px"><strong>${escapeHtml(title)}</strong><br>${escapeHtml(body).replaceAll('\n', '<br>')}</blockquote>`;
}

function buttonHtml({ label, url }: { label: string; url: string }, accent: string): string {
  const style = `display:inline-block;padding:13px 24px;border-radius:8px;background:${accent};color:${readableOn(accent)};font-weight:600;text-decoration:none`;
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`;
}

export function mailText({ heading, paragraphs, quotes = [], button, small }: FormMail): string {
  const quoted = quotes.map(({ title, body }) =>
    [title, ...body.split('\n')].map((line) => `> ${line}`.trimEnd()).join('\n'),
  );
  const link = button ? [`${button.label}: ${button.url}`] : [];
  return `${[heading, ...paragraphs, ...quoted, ...link, ...small].join('\n\n')}\n`;
}

interface Addressed {
  instance_id: number;
  sender_email: string;
  to: string;
  /** RFC 3834 §5: what is sent by no person is answered by no program. */
  auto_submitted: 'auto-generated' | 'auto-replied';
}

/** Who it is from and to. Mail of forms is not tracked. */
export function draftOf({ instance_id, sender_email, to, auto_submitted }: Addressed) {
  const address = canonicalAddress(to);
  if (!address) throw new Error('a submission was kept with an invalid address');
  return {
    source: 'form',
    instance_id,
    sender_email,
    recipients: [{ kind: 'to', address: address.address, domain: address.domain, name: undefined }],
    reply_to: [],
    headers: [['Auto-Submitted', auto_submitted]],
    attachments: [],
    category: null,
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: null,
  } satisfies Partial<Draft>;
}

const maxSubjectCharacters = 254;

/** On one line, within what a subject may have. */
export function subjectOf(text: string): string {
  return boundedText(text.replaceAll(/\p{Cc}/gu, ' '), maxSubjectCharacters) ?? '';
}
