import type { Queryable } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { TemplateFailure } from './render-template.ts';
import { makeContent, type TemplateContent } from './template-content.ts';
import { previewData, sampleData } from './template-data.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { getTemplate } from './templates.ts';
import { validateVariables } from './variables.ts';
import type { MailTemplateDraft, MailTemplatePreview, UnsavedContent } from './template-schemas.ts';

/** The content that a save would make, in the form in which it is sent. */
export async function makeUnsavedContent(
  renderer: TemplateRenderer,
  instanceId: number,
  { editor = 'html', subject = null, source = null, text = null }: UnsavedContent,
): Promise<TemplateContent> {
  return await makeContent(renderer, instanceId, { edited: { editor, subject, source, text } });
}

/** Renders unsaved content for a recipient. */
export async function previewTemplate(
  renderer: TemplateRenderer,
  instanceId: number,
  draft: MailTemplateDraft,
): Promise<MailTemplatePreview> {
  const { recipient = {}, template_variables: variables = {}, ...unsaved } = draft;
  const refused = validateVariables('/template_variables', variables);
  if (refused.length > 0) throw validationProblem(refused);
  const content = await makeUnsavedContent(renderer, instanceId, unsaved);
  try {
    return await renderer.render(instanceId, content, previewData(recipient, variables));
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    // It works for the sample, and not with what it is to be shown for.
    const { message } = error;
    throw validationProblem([{ pointer: '/source', code: 'value_error.liquid', message }]);
  }
}

/** A saved template for the sample recipient. What fails is shown as it is written: lists show it beside others. */
export async function previewSavedTemplate(
  { db, renderer }: { db: Queryable; renderer: TemplateRenderer },
  instanceId: number,
  id: number,
): Promise<MailTemplatePreview> {
  const { subject, html, text } = await getTemplate(db, instanceId, id);
  try {
    return await renderer.render(instanceId, { subject, html, text }, sampleData);
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    return { subject, html, text };
  }
}
