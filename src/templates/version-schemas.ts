import { Type, type Static } from 'typebox';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { contentExample } from './template-examples.ts';
import { editors } from './template-schemas.ts';

const listed = {
  version: Type.Integer({ description: 'Number of the version, counted up from 1.', examples: [3] }),
  is_current: Type.Boolean({ description: 'Whether it is what the template says now.' }),
  subject: Nullable(Type.String()),
  editor: Enum(editors),
  size_bytes: Type.Integer({ description: 'Of `source` and `text` in UTF-8.', examples: [1830] }),
  restored_from: Nullable(
    Type.Integer({ description: 'The version that was restored with this save; null for any other save.' }),
  ),
  created_at: DateTime('When it was saved.'),
  actor_kind: Enum(['user', 'api_key', 'operator', 'system'], {
    description:
      'Who saved it: `operator` on the command line, `system` where it was saved before versions were kept.',
  }),
  actor_id: Nullable(Type.String({ description: 'Identifier of the user.' })),
  actor_email: Nullable(Type.String({ description: 'Address of the user.' })),
};

export const TemplateVersion = Type.Object(listed, { $id: 'TemplateVersion' });
export type TemplateVersion = Static<typeof TemplateVersion>;

export const TemplateVersionDetail = Type.Object(
  { ...listed, source: Nullable(Type.String()), text: Nullable(Type.String()) },
  { $id: 'TemplateVersionDetail' },
);
export type TemplateVersionDetail = Static<typeof TemplateVersionDetail>;

export const TemplateVersionComparison = Type.Object(
  {
    from: TemplateVersionDetail,
    to: TemplateVersionDetail,
    changed: Type.Array(Enum(['subject', 'editor', 'source', 'text']), {
      description: 'In what they differ; empty when they are alike.',
    }),
  },
  { $id: 'TemplateVersionComparison' },
);
export type TemplateVersionComparison = Static<typeof TemplateVersionComparison>;

export const versionExample = {
  version: 3,
  is_current: true,
  subject: contentExample.subject,
  editor: 'html',
  size_bytes: 164,
  restored_from: null,
  created_at: '2026-12-01T12:00:00.000Z',
  actor_kind: 'user',
  actor_id: '7',
  actor_email: 'ana@acme.cl',
};

export const versionDetailExample = {
  ...versionExample,
  source: contentExample.source,
  text: contentExample.text,
};
