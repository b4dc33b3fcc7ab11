import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import { Field, fieldExample as example, NewField } from './field-schemas.ts';
import { audited } from '../audit/index.ts';
import { createField } from './change-field.ts';
import { getField, listFields } from './fields.ts';

const tag = 'Fields';

export function fieldRoutes({ db }: { db: Database }): Operation[] {
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
      params: Type.Object({ id: Id('Identifier of the field.') }),
      success: { status: 200, description: 'The field.', schema: Field, example },
      errors: ['field_not_found'],
      handle: async ({ caller, params }) => await getField(db, caller.instance.id, params.id),
    }),
    operation({
      id: 'create_field',
      method: 'POST',
      path: '/v1/fields',
      tag,
      summary: 'Create a contact field',
      description:
        'Adds a field to the catalog. Its `field_key` is reserved from then on, even after the field is deleted. Changing, deactivating and deleting fields is done in the panel.',
      access: { kind: 'api_key', scope: 'field:write', role: 'developer' },
      body: NewField,
      body_example: {
        name: example.name,
        field_key: example.field_key,
        type: example.type,
        config: example.config,
      },
      success: { status: 201, description: 'The field as created.', schema: Field, example },
      location: '/v1/fields/{id}',
      errors: ['field_key_already_exists', 'field_key_reserved'],
      handle: async (call) => await audited(db, createField)(call, { field: call.body }),
    }),
  ];
}
