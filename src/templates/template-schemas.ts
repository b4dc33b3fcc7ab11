import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { TemplateAlias } from './template-alias.ts';
import { TemplateVariables } from './variables-schema.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

export const editors = ['html', 'mjml'] as const;
export type Editor = (typeof editors)[number];

const oneLine = '^[^\\u0000-\\u001f\\u007f]*$';
const placeholders =
  'Liquid with the placeholders `recipient.email`, `recipient.name`, `unsubscribe_url` and `view_url`; the guide lists the tags and filters that it may use.';

const name = { description: 'What people find it by; recipients do not see it.', examples: ['Welcome'] };
const subject = {
  description: `Subject of the mails. ${placeholders}`,
  examples: ['Welcome, {{ recipient.name }}'],
};
const editor = {
  description: 'What `source` is written in; MJML is made into HTML when it is saved.',
  examples: ['html'],
};
const source = {
  description: `What is edited: HTML (at most 5 MB in UTF-8) or MJML (at most 1 MB). ${placeholders}`,
  examples: ['<p>Hello {{ recipient.name }}</p>'],
};
const text = {
  description: `Plain-text part, at most 5 MB in UTF-8. Without it, it is made from the HTML. ${placeholders}`,
  examples: ['Hello {{ recipient.name }}'],
};

const alias = TemplateAlias(
  'What your code calls it: the `template_alias` of a send. At most one template of the instance has it, until that is deleted. A letter, then up to 63 letters, digits and `. _ -`; case counts.',
);

const listed = {
  id: Id('Identifier: the `template_id` of a send.'),
  external_id: ExternalId,
  alias: Nullable(alias),
  name: Type.String(name),
  subject: Nullable(Type.String(subject)),
  is_published: Type.Boolean({
    description: 'A draft can be sent in `test_mode` only.',
  }),
  published_at: Nullable(DateTime('When it was published; null for a draft.')),
  created_at: DateTime('When it was created.'),
  updated_at: DateTime('When it last changed.'),
};

export const MailTemplate = Type.Object(listed, { $id: 'MailTemplate' });
export type MailTemplate = Static<typeof MailTemplate>;

export const MailTemplateDetail = Type.Object(
  {
    ...listed,
    html: Nullable(
      Type.String({ description: 'The HTML that is sent, before its placeholders are filled in.' }),
    ),
    text: Nullable(Type.String(text)),
    editor: Enum(editors, editor),
    source: Nullable(Type.String(source)),
  },
  { $id: 'MailTemplateDetail' },
);
export type MailTemplateDetail = Static<typeof MailTemplateDetail>;

const editable = {
  external_id: ExternalId,
  alias: Nullable(alias),
  name: Type.String({ minLength: 1, maxLength: 255, pattern: oneLine, ...name }),
  subject: Nullable(Type.String({ minLength: 1, maxLength: 254, pattern: oneLine, ...subject })),
  editor: Enum(editors, editor),
  source: Nullable(Type.String({ minLength: 1, ...source })),
  text: Nullable(Type.String({ minLength: 1, ...text })),
};

// Closed: ignoring a given `html` would lose work silently.
const closed = { additionalProperties: false };

export const NewMailTemplate = Type.Object(
  {
    external_id: Type.Optional(editable.external_id),
    alias: Type.Optional(editable.alias),
    name: editable.name,
    subject: Type.Optional(editable.subject),
    editor: Type.Optional({ ...editable.editor, default: 'html' }),
    source: Type.Optional(editable.source),
    text: Type.Optional(editable.text),
  },
  { $id: 'NewMailTemplate', ...closed },
);
export type NewMailTemplate = Static<typeof NewMailTemplate>;

export const MailTemplateChanges = Type.Partial(Type.Object(editable), {
  $id: 'MailTemplateChanges',
  ...closed,
});
export type MailTemplateChanges = Static<typeof MailTemplateChanges>;

const unsaved = {
  subject: Type.Optional(editable.subject),
  editor: Type.Optional({ ...editable.editor, default: 'html' }),
  source: Type.Optional(editable.source),
  text: Type.Optional(editable.text),
};

export const UnsavedContent = Type.Object(unsaved, {
  $id: 'UnsavedContent',
  description: 'What is being edited, in place of what is saved.',
  ...closed,
});
export type UnsavedContent = Static<typeof UnsavedContent>;

export const MailTemplateDraft = Type.Object(
  {
    ...unsaved,
    recipient: Type.Optional(
      Type.Object(
        {
          email: Type.Optional(Type.String({ maxLength: 254 })),
          name: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
        },
        { description: 'Whom to show it for; a made-up person when left out.', ...closed },
      ),
    ),
    template_variables: Type.Optional(TemplateVariables('What the variables of the template stand for.')),
  },
  { $id: 'MailTemplateDraft', ...closed },
);
export type MailTemplateDraft = Static<typeof MailTemplateDraft>;

export const MailTemplatePreview = Type.Object(
  {
    subject: Nullable(Type.String()),
    html: Nullable(Type.String()),
    text: Nullable(Type.String()),
  },
  { $id: 'MailTemplatePreview' },
);
export type MailTemplatePreview = Static<typeof MailTemplatePreview>;
