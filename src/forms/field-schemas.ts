import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';

export const fieldTypes = [
  'email',
  'phone',
  'text',
  'textarea',
  'number',
  'date',
  'select',
  'multiselect',
  'boolean',
  'url',
  'address',
] as const;

const name = { description: 'What people read.', examples: ['Favourite colour'] };
const field_key = {
  description:
    'Canonical key: upper-case letters, digits and underscores. It never changes and is never given again.',
  examples: ['FAVOURITE_COLOUR'],
};
const config = {
  description:
    'Validators that depend on the type. For `select` and `multiselect`, `options` is a list of `{ value, label }`: `value` is what answers store, `label` what people read.',
};

export const Field = Type.Object(
  {
    id: Id('Identifier of the field.'),
    external_id: ExternalId,
    name: Type.String(name),
    field_key: Type.String(field_key),
    type: Enum(fieldTypes, { description: 'What kind of answer the field takes.' }),
    is_system: Type.Boolean({ description: 'Seeded with the instance; it cannot be deleted.' }),
    is_active: Type.Boolean({ description: 'An inactive field is read-only.' }),
    config: Nullable(Type.Object({}, { additionalProperties: true, ...config })),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
  },
  { $id: 'Field' },
);
export type Field = Static<typeof Field>;

export const NewField = Type.Object(
  {
    external_id: Type.Optional(ExternalId),
    name: Type.String({ minLength: 1, maxLength: 255, ...name }),
    field_key: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Z0-9_]+$', ...field_key }),
    type: Enum(fieldTypes, { description: 'What kind of answer the field takes.' }),
    config: Type.Optional(Nullable(Type.Object({}, { additionalProperties: true, ...config }))),
  },
  { $id: 'NewField' },
);
export type NewField = Static<typeof NewField>;

export const FieldChanges = Type.Partial(
  Type.Object({
    external_id: ExternalId,
    name: NewField.properties.name,
    config: Nullable(Type.Object({}, { additionalProperties: true, ...config })),
    is_active: Type.Boolean({ description: 'False: it is read-only, and put on no new form.' }),
  }),
  { $id: 'FieldChanges' },
);
export type FieldChanges = Static<typeof FieldChanges>;

/** Required part of `config` for types with options. */
export const OptionsConfig = Type.Object({
  options: Type.Array(
    Type.Object({
      value: Type.String({ minLength: 1, maxLength: 32, pattern: '^[A-Z0-9_]+$' }),
      label: Type.String({ minLength: 1, maxLength: 255 }),
    }),
    { minItems: 1, maxItems: 500 },
  ),
});
export type OptionsConfig = Static<typeof OptionsConfig>;

export const fieldExample = {
  id: 7,
  external_id: 'shop/colour',
  name: 'Favourite colour',
  field_key: 'FAVOURITE_COLOUR',
  type: 'select',
  is_system: false,
  is_active: true,
  config: {
    options: [
      { value: 'RED', label: 'Red' },
      { value: 'BLUE', label: 'Blue' },
    ],
  },
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
};
