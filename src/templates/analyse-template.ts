import { Problem, type Violation } from '../base/errors/problem.ts';
import { plainTextOf } from '../protocol/html/plain-text.ts';
import { scanLinks } from '../protocol/html/scan-links.ts';
import type { MailTemplateAnalysis } from './analysis-schemas.ts';
import { missingVariables, pathText } from './missing-variables.ts';
import { previewTemplate } from './preview-template.ts';
import { TemplateFailure } from './render-template.ts';
import { previewData } from './template-data.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import type { MailTemplateDraft, MailTemplatePreview } from './template-schemas.ts';
import { isReserved } from './variables.ts';

const maxListed = 500;
const maxUrlLength = 2_000;
/** Where Gmail cuts, by experience: 102 KB. */
const clipped_above_bytes = 102 * 1024;

/** Everything that an editor shows beside the text: problems at their line, variables, links, size and preview. */
export async function analyseTemplate(
  renderer: TemplateRenderer,
  instanceId: number,
  draft: MailTemplateDraft,
): Promise<MailTemplateAnalysis> {
  const { problems, preview } = await tryPreview(renderer, instanceId, draft);
  const text_part = preview && (preview.text ?? plainTextOf(preview.html ?? ''));
  return {
    problems,
    variables: await findDraftVariables(renderer, instanceId, draft),
    links: linksOf(preview?.html ?? ''),
    size: preview && {
      html_bytes: Buffer.byteLength(preview.html ?? ''),
      text_bytes: Buffer.byteLength(text_part ?? ''),
      clipped_above_bytes,
    },
    preview,
    text_part,
  };
}

type Problems = MailTemplateAnalysis['problems'];

async function tryPreview(
  renderer: TemplateRenderer,
  instanceId: number,
  draft: MailTemplateDraft,
): Promise<{ problems: Problems; preview: MailTemplatePreview | null }> {
  try {
    return { problems: [], preview: await previewTemplate(renderer, instanceId, draft) };
  } catch (error) {
    if (!(error instanceof Problem) || !error.facts.errors) throw error;
    return { problems: error.facts.errors.map(problemOf), preview: null };
  }
}

function problemOf({ pointer, code, message, params }: Violation): Problems[number] {
  const place = (name: string): number | null => (typeof params?.[name] === 'number' ? params[name] : null);
  // A reserved name stands below the object that has it.
  const [member] = /^\/\w+/.exec(pointer) ?? ['/source'];
  return {
    pointer: member as Problems[number]['pointer'],
    code,
    // The place is told apart.
    message: message.replace(/^Line \d+(?:, column \d+)?:? /, '').replace(/^\(([\w-]+)\): /, '$1: '),
    line: place('line'),
    column: place('column'),
  };
}

const parts = [
  { part: 'subject', pointer: '/subject' },
  { part: 'html', pointer: '/source' },
  { part: 'text', pointer: '/text' },
] as const;

async function findDraftVariables(
  renderer: TemplateRenderer,
  instanceId: number,
  { subject = null, source = null, text = null, recipient = {}, template_variables = {} }: MailTemplateDraft,
): Promise<MailTemplateAnalysis['variables']> {
  const written = { subject, html: source, text };
  const data = previewData(recipient, template_variables);
  const found: MailTemplateAnalysis['variables'] = [];
  for (const { part, pointer } of parts) {
    const alone = { subject: null, html: null, text: null, [part]: written[part] };
    const used = await renderer.variables(instanceId, alone).catch(noneIfBroken);
    const mine = used.filter(({ path: [root] }) => !isReserved(root));
    const missing = new Set(missingVariables(mine, data));
    const placeOf = placesIn(written[part] ?? '');
    for (const { path, offset } of mine.slice(0, maxListed - found.length)) {
      const name = pathText(path);
      found.push({ name, pointer, ...placeOf(offset), is_given: !missing.has(name) });
    }
  }
  return found;
}

/** What cannot be read as Liquid is told as a problem; its variables are not known. */
function noneIfBroken(error: unknown): [] {
  if (error instanceof TemplateFailure) return [];
  throw error;
}

/** Offsets are asked for in the order of the text. */
function placesIn(source: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let start = 0;
  return (offset) => {
    for (let next = source.indexOf('\n', start); next !== -1 && next < offset;) {
      line += 1;
      start = next + 1;
      next = source.indexOf('\n', start);
    }
    return { line, column: offset - start + 1 };
  };
}

function linksOf(html: string): MailTemplateAnalysis['links'] {
  const counts = new Map<string, number>();
  for (const { url } of scanLinks(html, { opt_out: '' }).links) {
    const known = url.trim().slice(0, maxUrlLength);
    if (counts.has(known) || counts.size < maxListed) counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  return Array.from(counts, ([url, count]) => ({ url, count }));
}
