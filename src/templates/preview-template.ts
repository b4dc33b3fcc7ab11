import { sampleVariables } from './judge-liquid.ts';
import { renderContent } from './render-template.ts';
import { makeContent } from './template-content.ts';
import type { MailTemplateDraft, MailTemplatePreview } from './template-schemas.ts';

/** What a recipient would get of content that is not saved. */
export async function previewTemplate(draft: MailTemplateDraft): Promise<MailTemplatePreview> {
  const { editor = 'html', subject = null, source = null, text = null, recipient = {} } = draft;
  const content = await makeContent({ editor, subject, source, text });
  return renderContent(content, {
    ...sampleVariables,
    recipient: { ...sampleVariables.recipient, ...recipient },
  });
}
