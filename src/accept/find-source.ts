import { Problem, validationProblem } from '../base/errors/problem.ts';
import { isAtOrBelow, type KnownSender, sandboxZone } from '../domains/index.ts';
import type { SendableTemplate, TemplateCache } from '../templates/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft, TemplateName } from './draft.ts';

const keyDetail =
  'These credentials can write to sandbox recipients only: addresses at or below sandbox.test.';

export interface MailSource {
  sender: KnownSender;
  template: SendableTemplate | undefined;
}

/** The sender and template of a draft: 404 when missing, then 409 when not allowed. */
export async function findSource(
  { templates, keeps_forms_inside }: AcceptContext,
  draft: Draft,
  sender: KnownSender | undefined,
): Promise<MailSource> {
  if (!sender) throw new Problem('sender_not_found');
  const saved = draft.kind === 'template' ? await findTemplate(templates, draft) : undefined;
  if (draft.kind === 'template' && !saved) throw new Problem('mail_template_not_found');
  const leaves = draft.recipients.some(({ domain }) => !isAtOrBelow(domain, sandboxZone));
  if (draft.sandbox_only && leaves) throw new Problem('sandbox_relay_restricted', { detail: keyDetail });
  const isCaptured = keeps_forms_inside && draft.source === 'form';
  if (sender.is_sandbox && leaves && !isCaptured) throw new Problem('sandbox_relay_restricted');
  if (!sender.is_verified) throw new Problem('domain_sender_not_verified');
  if (saved && !saved.is_published && !draft.test_mode) throw new Problem('template_not_public');
  if (saved && draft.without_stylesheets) refuseStylesheets(saved);
  const unsaved = draft.kind === 'template' ? draft.content : undefined;
  return { sender, template: saved && unsaved ? { ...saved, ...unsaved } : saved };
}

/** MJML has written its styles into the elements. */
function refuseStylesheets({ editor, html }: SendableTemplate): void {
  if (editor === 'mjml' || html === null || !/<style[\s>]/i.test(html)) return;
  const message = 'The template has stylesheets, which are sent as they are: write styles into its elements';
  throw validationProblem([{ pointer: '/inline_css', code: 'value_error.stylesheets', message }]);
}

async function findTemplate(
  templates: TemplateCache,
  { instance_id, template }: { instance_id: number; template: TemplateName },
): Promise<SendableTemplate | undefined> {
  return 'id' in template
    ? await templates.find(instance_id, template.id)
    : await templates.findByAlias(instance_id, template.alias);
}
