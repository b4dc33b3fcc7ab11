import { Type } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import { Field, fieldExample as example } from './field-schemas.ts';
import { getField, listFields } from './fields.ts';

const tag = 'Fields';
export const fieldParams = Type.Object({ id: Id('Identifier of the field.') });

export function fieldRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_fields',
      method: 'GET',
      path: '/v1/fields',
      tag,
      summary: 'List contact fields',
      description: 'The catalog of contact fields of the instance, in the order of their creation.',
      access: { kind: 'api_key', scope: 'field:read' },
      query: PageQuery({
        is_active: Type.Optional(
          Nullable(Type.Boolean({ description: 'Only active or only inactive fields; all when left out.' })),
        ),
        ...externalIdFilter,
      }),
      success: onePage('fields', Field, example),
      errors: [],
      handle: async ({ caller, query }) => await listFields(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_field',
      method: 'GET',
      path: '/v1/fields/{id}',
      tag,
      summary: 'Read a contact field',
      description: 'One field of the catalog.',
      access: { kind: 'api_key', scope: 'field:read' },
      params: fieldParams,
      success: { status: 200, description: 'The field.', schema: Field, example },
      errors: ['field_not_found'],
      handle: async ({ caller, params }) => await getField(db, caller.instance.id, params.id),
    }),
  ];
}
