import { audited } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { createForm, deleteForm, updateForm, updateItems } from './change-form.ts';
import { formExample, newFormExample, newItemsExample } from './form-examples.ts';
import { formParams as params } from './form-routes.ts';
import { Form, FormChanges, FormItems, NewForm, type NewFormItem } from './form-schemas.ts';
import { getForm } from './forms.ts';
import { itemRows } from './replace-items.ts';

const tag = 'Forms';
const path = '/v1/forms/{id}' as const;
const access = { kind: 'api_key', scope: 'form:write', role: 'developer' } as const;
const form = { description: 'The form.', schema: Form, example: formExample } as const;

export function formWriteRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'create_form',
      method: 'POST',
      path: '/v1/forms',
      tag,
      summary: 'Create a form',
      description:
        'Its fields are active ones of the catalog, its consents terms with a current version. A form of kind `consent` takes identifiers and at least one consent. It is at `/f/<public_token>`.',
      access,
      body: NewForm,
      body_example: newFormExample,
      success: { status: 201, ...form },
      location: path,
      errors: ['external_id_already_exists', 'confirmation_requires_email'],
      handle: async (call) => await audited(db, createForm)(call, { form: call.body }),
    }),
    ...updateRoutes(db),
    operation({
      id: 'replace_form_items',
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
      id: 'delete_form',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a form',
      description: 'It takes no submissions from then on; the consents given through it stay on record.',
      access: { ...access, role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['form_not_found'],
      handle: async (call) => await audited(db, deleteForm)(call, { id: call.params.id }),
    }),
  ];
}

function updateRoutes(db: Database): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changes: FormChanges) =>
    await audited(db, updateForm)(call, { id: call.params.id, changes });
  const patch = operation({
    id: 'update_form',
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
    errors: ['form_not_found', 'confirmation_requires_email', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'FormReplacement',
    summary: 'Replace a form',
    params,
    creation: NewForm,
    changes: FormChanges,
    fixed: ['kind'],
    example: { items: newItemsExample },
    canonical: { items: (items) => itemRows(items as NewFormItem[]) },
    read: async ({ caller, params: { id } }) => await getForm(db, caller.instance.id, id),
    apply,
  });
  return [patch, put];
}
