import { Type, type Static } from 'typebox';
import { ExternalId } from '../../base/http/external-id.ts';
import { Id, Nullable } from '../../base/http/schemas.ts';

const code = {
  description: 'Readable, and stable within the instance: it never changes.',
  examples: ['marketing'],
};
const name = { description: 'What people read.', examples: ['Marketing'] };
const description = { description: 'What contacts are written to for.', examples: ['Offers and news.'] };

export const ConsentPurpose = Type.Object(
  {
    id: Id('The `purpose_id`.'),
    external_id: ExternalId,
    code: Type.String(code),
    name: Type.String(name),
    description: Nullable(Type.String(description)),
    is_enabled: Type.Unsafe<0 | 1>({
      type: 'integer',
      enum: [0, 1],
      description: '1 or 0. A disabled purpose is given to no new term.',
    }),
  },
  { $id: 'ConsentPurpose' },
);
export type ConsentPurpose = Static<typeof ConsentPurpose>;

const changeable = {
  external_id: ExternalId,
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...name }),
  description: Nullable(Type.String({ maxLength: 2000, ...description })),
};

export const NewConsentPurpose = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9][a-z0-9_-]*$', ...code }),
    external_id: Type.Optional(changeable.external_id),
    name: changeable.name,
    description: Type.Optional(changeable.description),
  },
  { $id: 'NewConsentPurpose' },
);
export type NewConsentPurpose = Static<typeof NewConsentPurpose>;

export const ConsentPurposeChanges = Type.Partial(
  Type.Object({
    ...changeable,
    is_enabled: Type.Unsafe<boolean | 0 | 1>({
      type: ['boolean', 'integer'],
      enum: [true, false, 1, 0],
      description: 'False, or 0, disables it.',
    }),
  }),
  { $id: 'ConsentPurposeChanges' },
);
export type ConsentPurposeChanges = Static<typeof ConsentPurposeChanges>;

export const purposeExample = {
  id: 1,
  external_id: 'shop/marketing',
  code: 'marketing',
  name: 'Marketing',
  description: 'Offers and news.',
  is_enabled: 1,
};
