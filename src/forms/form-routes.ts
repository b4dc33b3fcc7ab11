import { Type } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { formExample } from './form-examples.ts';
import { Form, formKinds, formTypes } from './form-schemas.ts';
import { getForm, listForms } from './forms.ts';

const tag = 'Forms';
const access = { kind: 'api_key', scope: 'form:read' } as const;

export const formParams = Type.Object({ id: Id('Identifier of the form.') });

const filters = {
  kind: Type.Optional(Nullable(Enum(formKinds, { description: 'Only forms of this kind.' }))),
  type: Type.Optional(Nullable(Enum(formTypes, { description: 'Only forms of this type.' }))),
  is_active: Type.Optional(Nullable(Type.Boolean({ description: 'Only active or only inactive forms.' }))),
  name: Type.Optional(
    Nullable(Type.String({ maxLength: 255, description: 'Part of the name, in either case.' })),
  ),
  requires_confirmation: Type.Optional(
    Nullable(Type.Boolean({ description: 'Only forms with, or only forms without double opt-in.' })),
  ),
  auto_reply_sender_id: Type.Optional(
    Nullable(Id('Only forms whose confirmations and replies come from this sender.')),
  ),
  ...externalIdFilter,
};

export function formRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_forms',
      method: 'GET',
      path: '/v1/forms',
      tag,
      summary: 'List forms',
      description: 'The forms of the instance in the order of their creation, each with its items.',
      access,
      query: PageQuery(filters),
      success: onePage('forms', Form, formExample),
      errors: [],
      handle: async ({ caller, query }) => await listForms(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_form',
      method: 'GET',
      path: '/v1/forms/{id}',
      tag,
      summary: 'Read a form',
      description: 'One form with its items in display order.',
      access,
      params: formParams,
      success: { status: 200, description: 'The form.', schema: Form, example: formExample },
      errors: ['form_not_found'],
      handle: async ({ caller, params }) => await getForm(db, caller.instance.id, params.id),
    }),
  ];
}
