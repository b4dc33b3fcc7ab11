import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { createForm, deleteForm, updateForm, updateItems } from './change-form.ts';
import { formExample, newFormExample, newItemsExample } from './form-examples.ts';
import { Form, FormChanges, FormItems, NewForm } from './form-schemas.ts';

const tag = 'Forms';
const path = '/v1/private/forms/{id}' as const;
const params = Type.Object({ id: Id('Identifier of the form.') });
const access = { kind: 'user', role: 'developer' } as const;
const form = { description: 'The form.', schema: Form, example: formExample } as const;

export function formPanelRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'panel_create_form',
      method: 'POST',
      path: '/v1/private/forms',
      tag,
      summary: 'Create a form',
      description:
        'Its fields are active ones of the catalog, its consents terms with a current version. A form of kind `consent` takes identifiers and at least one consent.',
      access,
      body: NewForm,
      body_example: newFormExample,
      success: { status: 201, ...form },
      location: '/v1/private/forms/{id}',
      errors: ['confirmation_requires_email'],
      handle: async (call) => await audited(db, createForm)(call, { form: call.body }),
    }),
    operation({
      id: 'panel_update_form',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change, activate or deactivate a form, or make it the default of its kind',
      description:
        'What is left out stays. `items` replaces all of them, together with the rest. The form that was the default of the kind is one no more.',
      access,
      params,
      body: FormChanges,
      body_example: { name: 'Weekly newsletter', is_active: true },
      success: { status: 200, ...form },
      errors: ['form_not_found', 'confirmation_requires_email'],
      handle: async (call) => await audited(db, updateForm)(call, { id: call.params.id, changes: call.body }),
    }),
    operation({
      id: 'panel_replace_form_items',
      method: 'PUT',
      path: `${path}/items`,
      tag,
      summary: 'Replace the items of a form',
      description: 'The list is the order. What was submitted before keeps its answers.',
      access,
      params,
      body: FormItems,
      body_example: { items: newItemsExample },
      success: { status: 200, ...form },
      errors: ['form_not_found', 'confirmation_requires_email'],
      handle: async (call) =>
        await audited(db, updateItems)(call, { id: call.params.id, items: call.body.items }),
    }),
    operation({
      id: 'panel_delete_form',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a form',
      description: 'It takes no submissions from then on; the consents given through it stay on record.',
      access: { kind: 'user', role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['form_not_found'],
      handle: async (call) => await audited(db, deleteForm)(call, { id: call.params.id }),
    }),
  ];
}
