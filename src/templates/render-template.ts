import type { Template } from 'liquidjs';
import { parseLiquid, renderLiquid, type LiquidKind, type TemplateVariables } from './liquid.ts';
import type { TemplateContent } from './template-content.ts';

/** A version of a template: the two together never name two contents. */
export interface TemplateVersion extends TemplateContent {
  id: number;
  updated_at: Date;
}

/** A part is null when the template does not have it. */
export type RenderedTemplate = TemplateContent;

/** Saving allows a quarter of it, so this is for a machine that is slow at the moment. */
const max_render_ms = 1_000;
/** What the record of a mail holds (spec §8.1); a long name must not keep a mail from being sent. */
const max_subject_length = 254;
/** Parsed templates take some times the memory of their text: this many characters are a few hundred megabytes at most. */
const max_parsed_length = 32 * 1024 * 1024;
/** What even an empty template takes, counted as characters. */
const parsed_overhead = 2_000;

type Parsed = Record<keyof TemplateContent, Template[] | null>;

interface ParsedVersion {
  parsed: Parsed;
  length: number;
}

const parsedVersions = new Map<string, ParsedVersion>();
let parsed_length = 0;

/** The content for one recipient: escaped in HTML, on one line in the subject; unknown placeholders are empty. */
export function renderTemplate(template: TemplateVersion, variables: TemplateVariables): RenderedTemplate {
  const key = `${template.id} ${template.updated_at.getTime()}`;
  const known = parsedVersions.get(key);
  // Put back at the end: the front of the map is what was not used for longest.
  if (known) parsedVersions.delete(key);
  const version = known ?? parseVersion(template);
  parsedVersions.set(key, version);
  if (!known) makeRoom(version.length);
  return fill(version.parsed, variables);
}

/** The same for content that is not saved. */
export function renderContent(content: TemplateContent, variables: TemplateVariables): RenderedTemplate {
  return prepareContent(content)(variables);
}

/** The same for many recipients of one content, which is parsed once. */
export function prepareContent(content: TemplateContent): (variables: TemplateVariables) => RenderedTemplate {
  const parsed = parse(content);
  return (variables) => fill(parsed, variables);
}

function parseVersion(template: TemplateVersion): ParsedVersion {
  const { subject, html, text } = template;
  const length = parsed_overhead + (subject?.length ?? 0) + (html?.length ?? 0) + (text?.length ?? 0);
  return { parsed: parse(template), length };
}

function parse({ subject, html, text }: TemplateContent): Parsed {
  return {
    subject: subject === null ? null : parseLiquid(subject, 'plain'),
    html: html === null ? null : parseLiquid(html, 'html'),
    text: text === null ? null : parseLiquid(text, 'plain'),
  };
}

function makeRoom(added: number): void {
  parsed_length += added;
  for (const [key, { length }] of parsedVersions) {
    if (parsed_length <= max_parsed_length) return;
    parsedVersions.delete(key);
    parsed_length -= length;
  }
}

function fill({ subject, html, text }: Parsed, variables: TemplateVariables): RenderedTemplate {
  const render = (parsed: Template[] | null, kind: LiquidKind): string | null =>
    parsed && renderLiquid(parsed, { kind, variables, max_ms: max_render_ms });
  const line = render(subject, 'plain');
  return {
    subject: line === null ? null : oneLine(line),
    html: render(html, 'html'),
    text: render(text, 'plain'),
  };
}

/** Line breaks would begin a new header (RFC 5322 §2.2); no other control character has a place there either. */
function oneLine(subject: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = subject.replaceAll(/[\u0000-\u001f\u007f]/g, '');
  return line.length <= max_subject_length ? line : Array.from(line).slice(0, max_subject_length).join('');
}
