import { validationProblem } from '../base/errors/problem.ts';
import { TemplateFailure } from './render-template.ts';
import { makeContent } from './template-content.ts';
import { previewData } from './template-data.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { validateVariables } from './variables.ts';
import type { MailTemplateDraft, MailTemplatePreview } from './template-schemas.ts';

/** Renders unsaved content for a recipient. */
export async function previewTemplate(
  renderer: TemplateRenderer,
  instanceId: number,
  draft: MailTemplateDraft,
): Promise<MailTemplatePreview> {
  const { editor = 'html', subject = null, source = null, text = null, recipient = {} } = draft;
  const variables = draft.template_variables ?? {};
  const refused = validateVariables('/template_variables', variables);
  if (refused.length > 0) throw validationProblem(refused);
  const content = await makeContent(renderer, instanceId, { edited: { editor, subject, source, text } });
  try {
    return await renderer.render(instanceId, content, previewData(recipient, variables));
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    // It works for the sample, and not with what it is to be shown for.
    const { message } = error;
    throw validationProblem([{ pointer: '/source', code: 'value_error.liquid', message }]);
  }
}
