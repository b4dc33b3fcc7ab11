import { Type, type Static } from 'typebox';
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
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...name }),
  description: Nullable(Type.String({ maxLength: 2000, ...description })),
};

export const NewConsentPurpose = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9][a-z0-9_-]*$', ...code }),
    name: changeable.name,
    description: Type.Optional(changeable.description),
  },
  { $id: 'NewConsentPurpose' },
);
export type NewConsentPurpose = Static<typeof NewConsentPurpose>;

export const ConsentPurposeChanges = Type.Partial(
  Type.Object({ ...changeable, is_enabled: Type.Boolean({ description: 'False disables it.' }) }),
  { $id: 'ConsentPurposeChanges' },
);
export type ConsentPurposeChanges = Static<typeof ConsentPurposeChanges>;

export const purposeExample = {
  id: 1,
  code: 'marketing',
  name: 'Marketing',
  description: 'Offers and news.',
  is_enabled: 1,
};
