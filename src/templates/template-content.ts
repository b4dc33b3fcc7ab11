import { validationProblem, type Violation } from '../base/errors/problem.ts';
import { judgeLiquid } from './judge-liquid.ts';
import { renderMjml } from './render-mjml.ts';
import type { Editor } from './template-schemas.ts';

const max_part_bytes = 5 * 1024 * 1024;
const max_mjml_bytes = 1024 * 1024;
const most_violations = 50;

/** What a person edits. */
export interface EditedContent {
  subject: string | null;
  editor: Editor;
  source: string | null;
  text: string | null;
}

/** What is sent. */
export interface TemplateContent {
  subject: string | null;
  html: string | null;
  text: string | null;
}

/**
 * Makes the HTML of what was edited, unless it was `made` from the same source before. Everything wrong is told at
 * once, in one validation problem.
 */
export async function makeContent(
  edited: EditedContent,
  made?: Pick<TemplateContent, 'html'>,
): Promise<TemplateContent> {
  const { subject, source, editor, text } = edited;
  const oversized = [
    ...judgeSize('/source', source, editor === 'mjml' ? max_mjml_bytes : max_part_bytes),
    ...judgeSize('/text', text, max_part_bytes),
  ];
  if (oversized.length > 0) throw validationProblem(oversized);
  const { html, violations } = made ? { ...made, violations: [] } : await makeHtml(source, editor);
  const found = [
    ...judgeLiquid('/subject', subject, 'plain'),
    ...violations,
    ...judgeLiquid('/text', text, 'plain'),
  ];
  if (found.length > 0) throw validationProblem(found);
  return { subject, html, text };
}

interface MadeHtml {
  html: string | null;
  violations: Violation[];
}

async function makeHtml(source: string | null, editor: Editor): Promise<MadeHtml> {
  if (source === null || editor === 'html') {
    return { html: source, violations: judgeLiquid('/source', source, 'html') };
  }
  const { html, errors } = await renderMjml(source);
  if (errors) return { html: null, violations: errors.slice(0, most_violations).map(mjmlViolation) };
  const oversized = judgeSize('/source', html, max_part_bytes);
  if (oversized.length > 0) return { html, violations: oversized };
  const broken = judgeLiquid('/source', html, 'html');
  if (broken.length === 0) return { html, violations: [] };
  // What counts is the HTML, but a person looks for the line in what they wrote.
  const written = judgeLiquid('/source', source, 'html');
  return { html, violations: written.length > 0 ? written : broken.map(inMadeHtml) };
}

function mjmlViolation({ line, tag, message }: { line: number; tag: string; message: string }): Violation {
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

function judgeSize(pointer: string, value: string | null, max_bytes: number): Violation[] {
  if (value === null || Buffer.byteLength(value) <= max_bytes) return [];
  const message = `This should have at most ${max_bytes} bytes in UTF-8`;
  return [{ pointer, code: 'value_error.too_large', message, params: { max_bytes } }];
}
