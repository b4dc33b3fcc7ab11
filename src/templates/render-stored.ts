import { TemplateFailure } from './render-template.ts';
import type { TemplateContent } from './template-content.ts';
import { dataFor, type RecipientUrls } from './template-data.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { readVariables } from './variables.ts';

/** A template as it was copied into a message, and one recipient of that. */
interface StoredTemplate {
  instance_id: number;
  recipient: string;
  recipient_name: string | null;
  html: Buffer | null;
  text: Buffer | null;
  variables: Buffer | null;
}

/** The content for that recipient, without a subject; undefined where the template fails. */
export async function renderStored(
  renderer: Pick<TemplateRenderer, 'render'>,
  { instance_id, recipient: email, recipient_name: name, ...stored }: StoredTemplate,
  urls: RecipientUrls,
): Promise<TemplateContent | undefined> {
  const content = {
    subject: null,
    html: stored.html?.toString() ?? null,
    text: stored.text?.toString() ?? null,
  };
  const data = dataFor({ email, name }, readVariables(stored.variables), urls);
  return await renderer.render(instance_id, content, data).catch((error: unknown) => {
    if (error instanceof TemplateFailure) return undefined;
    throw error;
  });
}
