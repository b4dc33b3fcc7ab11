import { Type, type Static } from 'typebox';
import { PageQuery } from '../base/http/pagination.ts';
import { DateTime, Id, Nullable } from '../base/http/schemas.ts';

export const Category = Type.Object(
  {
    id: Id('Identifier of the category.'),
    category: Type.String({
      description: 'Its slug, as in mail records and in the filter `category` of lists and statistics.',
    }),
    first_used_at: DateTime('When a send gave it for the first time.'),
    last_used_on: Nullable(
      Type.String({
        format: 'date',
        description:
          'UTC day on which mail of the category was last accepted; null when that is longer ago than statistics are kept.',
      }),
    ),
  },
  { $id: 'Category' },
);
export type Category = Static<typeof Category>;

export const CategoriesQuery = PageQuery({
  name: Type.Optional(
    Nullable(Type.String({ maxLength: 255, description: 'Part of the category, in either case.' })),
  ),
});
export type CategoriesQuery = Static<typeof CategoriesQuery>;

export const categoryExample = {
  id: 7,
  category: 'orders',
  first_used_at: '2026-10-05T09:30:00.000Z',
  last_used_on: '2026-12-01',
};
