import { Type } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { newFormExample } from './form-examples.ts';
import { NewForm } from './form-schemas.ts';
import { previewedPages, previewForm } from './preview-form.ts';

const FormDraft = Type.Object(
  {
    id: Type.Optional(Nullable(Id('The form that is being edited; none when it is new.'))),
    name: NewForm.properties.name,
    kind: NewForm.properties.kind,
    type: Type.Optional(NewForm.properties.type),
    settings: NewForm.properties.settings,
    items: NewForm.properties.items,
    page: Type.Optional(
      Enum(previewedPages, {
        default: 'form',
        description:
          'The form, what a person reads after sending it, without double opt-in or with it, or one of the mails they get. Of type `update`: `ask_address` and `link_sent` before the form, `updated` after it, and `update_mail` with the link. A reply by template is shown by the template.',
      }),
    ),
    lang: Type.Optional(Enum(['en', 'es'], { default: 'en', description: 'Language of the page.' })),
    scheme: Type.Optional(
      Enum(['light', 'dark'], { description: 'Colours; those of the reader when left out.' }),
    ),
  },
  { $id: 'FormDraft' },
);

const FormPreview = Type.Object(
  {
    html: Type.String({
      description:
        'A whole document for a frame with `sandbox` and no permission. It loads nothing but the logo.',
    }),
    problems: Type.Array(
      Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() }),
      { description: 'What keeps it from being saved.' },
    ),
  },
  { $id: 'FormPreview' },
);

export function formPreviewPanelRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'panel_preview_form',
      method: 'POST',
      path: '/v1/private/forms/preview',
      tag: 'Forms',
      summary: 'Show what a form would look like',
      description:
        'The page of a form that is not saved, as its visitors would see it. What keeps it from being saved is told beside it. Nothing is saved.',
      access: { kind: 'user', role: 'developer' },
      body: FormDraft,
      body_example: { ...newFormExample, lang: 'en' },
      success: {
        status: 200,
        description: 'The page.',
        schema: FormPreview,
        example: { html: '<!doctype html>…', problems: [] },
      },
      errors: ['form_not_found'],
      handle: async ({ body, caller }) => {
        const { html, problems } = await previewForm(db, caller.instance.id, body);
        return { html, problems: problems.map(({ pointer, code, message }) => ({ pointer, code, message })) };
      },
    }),
  ];
}
