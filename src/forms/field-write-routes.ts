import { audited } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { createField, deleteField, updateField } from './change-field.ts';
import { fieldParams as params } from './field-routes.ts';
import { Field, FieldChanges, fieldExample as example, NewField } from './field-schemas.ts';
import { getField } from './fields.ts';

const tag = 'Fields';
const path = '/v1/fields/{id}' as const;
const access = { kind: 'api_key', scope: 'field:write', role: 'developer' } as const;

export function fieldWriteRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'create_field',
      method: 'POST',
      path: '/v1/fields',
      tag,
      summary: 'Create a contact field',
      description:
        'Adds a field to the catalog. Its `field_key` is reserved from then on, even after the field is deleted.',
      access,
      body: NewField,
      body_example: {
        name: example.name,
        field_key: example.field_key,
        type: example.type,
        config: example.config,
      },
      success: { status: 201, description: 'The field as created.', schema: Field, example },
      location: path,
      errors: ['external_id_already_exists', 'field_key_already_exists', 'field_key_reserved'],
      handle: async (call) => await audited(db, createField)(call, { field: call.body }),
    }),
    ...updateRoutes(db),
    operation({
      id: 'delete_field',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a contact field',
      description: 'Its key stays reserved forever. System fields, and those that a form asks for, stay.',
      access: { ...access, role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['field_not_found', 'field_is_system', 'field_in_use'],
      handle: async (call) => await audited(db, deleteField)(call, { id: call.params.id }),
    }),
  ];
}

function updateRoutes(db: Database): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changes: FieldChanges) =>
    await audited(db, updateField)(call, { id: call.params.id, changes });
  const patch = operation({
    id: 'update_field',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change, deactivate or activate a contact field',
    description:
      'What is left out stays. Its key and its type never change. An inactive field is read-only and put on no new form; forms that have it keep it.',
    access,
    params,
    body: FieldChanges,
    body_example: { name: 'Colour', is_active: true },
    success: { status: 200, description: 'The field.', schema: Field, example },
    errors: ['field_not_found', 'field_is_inactive', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'FieldReplacement',
    summary: 'Replace a contact field',
    params,
    creation: NewField,
    changes: FieldChanges,
    defaults: { is_active: true },
    fixed: ['field_key', 'type'],
    read: async ({ caller, params: { id } }) => await getField(db, caller.instance.id, id),
    apply,
  });
  return [patch, put];
}
