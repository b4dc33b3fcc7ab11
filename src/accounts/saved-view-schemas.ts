import { Type, type Static } from 'typebox';
import { DateTime, Id } from '../base/http/schemas.ts';

/** Of a person in an instance. */
export const maxViews = 100;

export const listName = Type.String({
  pattern: '^[a-z_]{1,40}$',
  description: 'The list, as the panel calls it.',
  examples: ['mails'],
});
const value = Type.String({ maxLength: 200, pattern: '^[^\\u0000-\\u001f]*$' });
const search = Type.Record(Type.String(), value, {
  maxProperties: 30,
  description:
    'Names and values of filters, as the address of the page has them. None may name a person or one mail.',
});

export const NewSavedView = Type.Object(
  {
    list: listName,
    name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S', description: 'What it is called.' }),
    search,
  },
  { $id: 'NewSavedView' },
);
export type NewSavedView = Static<typeof NewSavedView>;

export const SavedView = Type.Object(
  {
    id: Id('Identifier of the view.'),
    list: Type.String({ description: 'The list, as the panel calls it.' }),
    name: Type.String({ description: 'What it is called.' }),
    search: Type.Record(Type.String(), Type.String(), { description: 'Names and values of filters.' }),
    created_at: DateTime('When it was saved first.'),
  },
  { $id: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;

export const savedViewExample = {
  id: 3,
  list: 'mails',
  name: 'Bounced this week',
  search: { status: '6', range: '7d' },
  created_at: '2026-12-01T12:00:00.000Z',
};
