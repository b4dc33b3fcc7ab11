import { validationProblem, type Violation } from '../base/errors/problem.ts';
import type { MjmlError } from './render-mjml.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import type { Editor } from './template-schemas.ts';

export const maxPartBytes = 5 * 1024 * 1024;
const maxMjmlBytes = 1024 * 1024;
const maxViolations = 50;

/** As edited. */
export interface EditedContent {
  subject: string | null;
  editor: Editor;
  source: string | null;
  text: string | null;
}

/** As sent. */
export interface TemplateContent {
  subject: string | null;
  html: string | null;
  text: string | null;
}

interface Making {
  edited: EditedContent;
  /** HTML made from the same source before. */
  made?: Pick<TemplateContent, 'html'> | undefined;
}

/** Makes the HTML of edited content. Throws all violations as one problem. */
export async function makeContent(
  renderer: TemplateRenderer,
  instanceId: number,
  { edited, made }: Making,
): Promise<TemplateContent> {
  const { subject, source, editor, text } = edited;
  const oversized = [
    ...validateSize('/source', source, editor === 'mjml' ? maxMjmlBytes : maxPartBytes),
    ...validateSize('/text', text, maxPartBytes),
  ];
  if (oversized.length > 0) throw validationProblem(oversized);
  const { html, violations } = made
    ? { ...made, violations: [] }
    : await makeHtml(renderer, instanceId, edited);
  const plain = await renderer.validate(instanceId, [
    { pointer: '/subject', source: subject, kind: 'plain' },
    { pointer: '/text', source: text, kind: 'plain' },
  ]);
  const found = [
    ...plain.filter(({ pointer }) => pointer === '/subject'),
    ...violations,
    ...plain.filter(({ pointer }) => pointer === '/text'),
  ];
  if (found.length > 0) throw validationProblem(found);
  return { subject, html, text };
}

interface MadeHtml {
  html: string | null;
  violations: Violation[];
}

async function makeHtml(
  renderer: TemplateRenderer,
  instanceId: number,
  { source, editor }: EditedContent,
): Promise<MadeHtml> {
  const validate = async (html: string | null): Promise<Violation[]> =>
    await renderer.validate(instanceId, [{ pointer: '/source', source: html, kind: 'html' }]);
  if (source === null || editor === 'html') return { html: source, violations: await validate(source) };
  const { html, errors } = await renderer.mjml(instanceId, source);
  if (errors) return { html: null, violations: errors.slice(0, maxViolations).map(mjmlViolation) };
  if (html === undefined) return { html: null, violations: [tooLarge('/source', maxPartBytes)] };
  const broken = await validate(html);
  if (broken.length === 0) return { html, violations: [] };
  // The HTML decides, but the author needs the line in the source.
  const written = await validate(source);
  return { html, violations: written.length > 0 ? written : broken.map(inMadeHtml) };
}

function mjmlViolation({ line, tag, message }: MjmlError): Violation {
  return {
    pointer: '/source',
    code: 'value_error.mjml',
    message: `Line ${line} (${tag}): ${message}`,
    params: { line, tag },
  };
}

function inMadeHtml({ pointer, code, message }: Violation): Violation {
  return { pointer, code, message: `In the HTML made from the MJML: ${message}` };
}

function validateSize(pointer: string, value: string | null, max_bytes: number): Violation[] {
  return value === null || Buffer.byteLength(value) <= max_bytes ? [] : [tooLarge(pointer, max_bytes)];
}

function tooLarge(pointer: string, max_bytes: number): Violation {
  const message = `This should have at most ${max_bytes} bytes in UTF-8`;
  return { pointer, code: 'value_error.too_large', message, params: { max_bytes } };
}
