import { Type, type Static } from 'typebox';
import type { Violation } from '../base/errors/problem.ts';
import { languages, type Language } from '../base/http/preferred-language.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { isWebAddress } from '../base/web-address.ts';

const text = (maxLength: number, description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));
const colour = (description: string) =>
  Type.Optional(
    Nullable(
      Type.String({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', description, examples: ['#0b6b53'] }),
    ),
  );

/** Further members are kept as they are. */
export const FormSettings = Type.Object(
  {
    title: text(255, 'Heading of the page.'),
    header_text: text(10_000, 'Text above the items.'),
    footer_text: text(10_000, 'Text below the items.'),
    language: Type.Optional(
      Nullable(
        Enum(languages, {
          description: 'Of its pages and its mails; the one of the browser when left out.',
        }),
      ),
    ),
    auto_reply: Type.Optional(
      Nullable(
        Type.Object(
          {
            subject: text(254, 'Subject of the reply; a short thank you when left out.'),
            text: text(10_000, 'Text of the reply, shown below the title of the form.'),
            template_id: Type.Optional(
              Nullable(Id('A published template in place of subject and text. Answers are not put into it.')),
            ),
          },
          {
            additionalProperties: false,
            description:
              'The mail that a person gets once their submission counts: at once, or when it was confirmed. It goes out by `auto_reply_sender_id`. None when left out.',
          },
        ),
      ),
    ),
    design: Type.Optional(
      Nullable(
        Type.Object(
          {
            primary_color: colour('Colour of buttons and links.'),
            secondary_color: colour('Colour of the background.'),
            logo_url: text(2048, 'An image, by https.'),
            custom_css: text(20_000, 'Rules of CSS that load nothing.'),
          },
          { additionalProperties: true },
        ),
      ),
    ),
  },
  { additionalProperties: true, $id: 'FormSettings' },
);
export type FormSettings = Static<typeof FormSettings>;

/** The language that a form speaks: its own, or that of its reader. Settings may have any member, so it is looked up. */
export function languageOfForm(
  { settings }: { settings: FormSettings | null },
  ofReader: Language,
): Language {
  return languages.find((each) => each === settings?.language) ?? ofReader;
}

const maxSettingsBytes = 64 * 1024;

export function validateFormSettings(settings: FormSettings | null | undefined): Violation[] {
  if (!settings) return [];
  const violations: Violation[] = [];
  if (Buffer.byteLength(JSON.stringify(settings)) > maxSettingsBytes) {
    violations.push({
      pointer: '/settings',
      code: 'value_error.too_large',
      message: `The settings should have at most ${maxSettingsBytes} bytes as JSON`,
      params: { max_bytes: maxSettingsBytes },
    });
  }
  const { subject, text: reply, template_id } = settings.auto_reply ?? {};
  if (template_id && (subject || reply)) {
    const message = 'Subject and text come from the template and must be left out';
    violations.push({ pointer: '/settings/auto_reply', code: 'value_error.template_content', message });
  }
  const { logo_url, custom_css } = settings.design ?? {};
  if (logo_url && !(isWebAddress(logo_url) && logo_url.startsWith('https://'))) {
    const message = 'This should be a URL that begins with https://';
    violations.push({ pointer: '/settings/design/logo_url', code: 'value_error.url', message });
  }
  const loading = custom_css ? findLoading(custom_css) : undefined;
  if (loading !== undefined) {
    violations.push({
      pointer: '/settings/design/custom_css',
      code: 'value_error.css',
      message: `CSS of a form may load and run nothing: leave out '${loading}'`,
      params: { found: loading },
    });
  }
  return violations;
}

/**
 * CSS that loads or runs something, or leaves its element. Backslashes are refused, since escapes can spell any of it
 * (CSS Syntax §4.3.7). The content security policy forbids loading too; this reports it to the author.
 */
const loads =
  /\\|<|@import|@font-face|@namespace|@charset|url\s*\(|(?:-webkit-)?image-set\s*\(|image\s*\(|\bsrc\s*\(|expression\s*\(|-moz-binding|behavior\s*:|javascript:/i;

function findLoading(css: string): string | undefined {
  // A comment separates tokens, so nothing can hide behind one; check the text with comments too.
  return loads.exec(css.replaceAll(/\/\*[\s\S]*?\*\//g, ''))?.[0] ?? loads.exec(css)?.[0];
}
