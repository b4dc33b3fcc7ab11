import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { deleteField, updateField } from './change-field.ts';
import { Field, FieldChanges, fieldExample } from './field-schemas.ts';

const tag = 'Fields';
const path = '/v1/private/fields/{id}' as const;
const params = Type.Object({ id: Id('Identifier of the field.') });

export function fieldPanelRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'panel_update_field',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change, deactivate or activate a field',
      description:
        'What is left out stays. Its key and its type never change. An inactive field is read-only and put on no new form; forms that have it keep it.',
      access: { kind: 'user', role: 'developer' },
      params,
      body: FieldChanges,
      body_example: { name: 'Colour', is_active: true },
      success: { status: 200, description: 'The field.', schema: Field, example: fieldExample },
      errors: ['field_not_found', 'field_is_inactive'],
      handle: async (call) =>
        await audited(db, updateField)(call, { id: call.params.id, changes: call.body }),
    }),
    operation({
      id: 'panel_delete_field',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a field',
      description: 'Its key stays reserved forever. System fields, and those that a form asks for, stay.',
      access: { kind: 'user', role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['field_not_found', 'field_is_system', 'field_in_use'],
      handle: async (call) => await audited(db, deleteField)(call, { id: call.params.id }),
    }),
  ];
}
