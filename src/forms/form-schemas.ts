import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { FormSettings } from './form-settings.ts';

export const formKinds = ['consent', 'advanced'] as const;
export const formTypes = ['registration', 'update'] as const;
const itemKinds = ['field', 'consent', 'divider', 'text'] as const;
const widths = ['full', 'half'] as const;

const name = { description: 'What people find the form by.', examples: ['Newsletter'] };
const kind = Enum(formKinds, {
  description: '`consent`: an identifier and consents. `advanced`: any field of the catalog.',
});
const type = Enum(formTypes, {
  description:
    '`registration` captures new contacts. `update` updates an existing one: it asks for the address and mails a link, which opens it with what the contact told before. It needs `auto_reply_sender_id` and the field `EMAIL`.',
});
const isDefault = {
  description:
    'The one of its kind and type that is offered where none is named: pages for recipients link to it.',
};
const isActive = { description: 'An inactive form takes no submissions.' };
const requiresConfirmation = {
  description:
    'Double opt-in: a submission counts once it was confirmed from the address given in it. Of no effect on forms of type `update`, whose link proves the address already.',
};
const sender = Id('The sender of confirmations and replies.');

const itemParts = {
  kind: Enum(itemKinds, {
    description:
      '`field` uses `field_id`, `consent` uses `term_id`, `text` uses `content`; `divider` separates.',
  }),
  field_id: Nullable(Id('The field, when `kind` is `field`.')),
  term_id: Nullable(Id('The consent term, when `kind` is `consent`.')),
  label: Nullable(Type.String({ maxLength: 1000, description: 'Shown in place of the name.' })),
  content: Nullable(Type.String({ maxLength: 10_000, description: 'The text, when `kind` is `text`.' })),
  is_required: Type.Boolean({ description: 'Nothing can be submitted without it.' }),
  width: Enum(widths, { description: 'Of a field; everything else takes the full row.' }),
};

const FormItem = Type.Object(
  {
    id: Id('Identifier of the item.'),
    ...itemParts,
    sort_order: Type.Integer({ description: 'Position, ascending.' }),
  },
  { $id: 'FormItem' },
);
export type FormItem = Static<typeof FormItem>;

export const Form = Type.Object(
  {
    id: Id('Identifier of the form.'),
    external_id: ExternalId,
    name: Type.String(name),
    kind,
    type,
    dataset_id: Nullable(Id('The dataset that answers are linked to; null while there are no datasets.')),
    public_token: Type.String({ description: 'Names the form in its public URL, `/f/<public_token>`.' }),
    is_default: Type.Boolean(isDefault),
    is_active: Type.Boolean(isActive),
    requires_confirmation: Type.Boolean(requiresConfirmation),
    auto_reply_sender_id: Nullable(sender),
    settings: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Texts `title`, `header_text`, `footer_text`; `language` of pages and mails; `auto_reply` with `subject`, `text` or `template_id`; `design` with `primary_color`, `secondary_color`, `logo_url`, `custom_css`.',
        },
      ),
    ),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
    items: Type.Array(FormItem, { description: 'In the order in which they are shown.' }),
  },
  { $id: 'Form' },
);
export type Form = Static<typeof Form>;

const NewFormItem = Type.Object(
  {
    kind: itemParts.kind,
    field_id: Type.Optional(itemParts.field_id),
    term_id: Type.Optional(itemParts.term_id),
    label: Type.Optional(itemParts.label),
    content: Type.Optional(itemParts.content),
    is_required: Type.Optional(itemParts.is_required),
    width: Type.Optional(itemParts.width),
  },
  { $id: 'NewFormItem' },
);
export type NewFormItem = Static<typeof NewFormItem>;

export const FormItems = Type.Object(
  { items: Type.Array(NewFormItem, { maxItems: 200, description: 'In the order in which they are shown.' }) },
  { $id: 'FormItems' },
);

const changeable = {
  external_id: ExternalId,
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...name }),
  type,
  is_default: Type.Boolean(isDefault),
  is_active: Type.Boolean(isActive),
  requires_confirmation: Type.Boolean(requiresConfirmation),
  auto_reply_sender_id: Nullable(sender),
  settings: Nullable(FormSettings),
};

export const NewForm = Type.Object(
  {
    external_id: Type.Optional(changeable.external_id),
    name: changeable.name,
    kind,
    type,
    is_default: Type.Optional({ ...changeable.is_default, default: false }),
    is_active: Type.Optional({ ...changeable.is_active, default: true }),
    requires_confirmation: Type.Optional({ ...changeable.requires_confirmation, default: false }),
    auto_reply_sender_id: Type.Optional(changeable.auto_reply_sender_id),
    settings: Type.Optional(changeable.settings),
    items: FormItems.properties.items,
  },
  { $id: 'NewForm' },
);
export type NewForm = Static<typeof NewForm>;

export const FormChanges = Type.Partial(Type.Object({ ...changeable, items: FormItems.properties.items }), {
  $id: 'FormChanges',
});
export type FormChanges = Static<typeof FormChanges>;
