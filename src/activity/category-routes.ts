import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage } from '../base/http/pagination.ts';
import { CategoriesQuery, Category, categoryExample } from './category-schemas.ts';
import { listCategories } from './list-categories.ts';

export function categoryRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_categories',
      method: 'GET',
      path: '/v1/categories',
      tag: 'Mails',
      summary: 'List categories',
      description:
        'The categories that sends have given, in alphabetical order. The first send with a `category` registers it; there is nothing to create.',
      access: { kind: 'api_key', scope: 'mail:read' },
      query: CategoriesQuery,
      success: onePage('categories', Category, categoryExample),
      errors: [],
      handle: async ({ caller: { instance }, query }) => await listCategories(db, instance.id, query),
    }),
  ];
}
