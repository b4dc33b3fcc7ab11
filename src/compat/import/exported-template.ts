import type { VendorName } from '../vendor.ts';
import { toLiquid, type Dialect } from './to-liquid.ts';

interface ExportedTemplate {
  external_id: string;
  /** What the code of the other service calls it. */
  alias: string | null;
  name: string;
  subject: string | null;
  html: string | null;
  text: string | null;
  fallbacks: ReadonlyMap<string, string>;
}

interface ConvertedTemplate {
  external_id: string;
  alias: string | null;
  name: string;
  subject?: string;
  source?: string;
  text?: string;
}

type Json = Readonly<Record<string, unknown>>;

const dialects: Record<VendorName, Dialect> = {
  resend: 'resend',
  postmark: 'mustachio',
  sendgrid: 'handlebars',
};

/** One part of a template at a time; what cannot be converted is named with its part and line. */
export function convertTemplate(
  vendor: VendorName,
  { external_id, alias, name, fallbacks, ...parts }: ExportedTemplate,
): { template: ConvertedTemplate; unknown: string[]; differences: string[] } {
  const template: ConvertedTemplate = { external_id, alias, name };
  const unknown: string[] = [];
  const differences: string[] = [];
  const members = { subject: 'subject', html: 'source', text: 'text' } as const;
  for (const [part, member] of Object.entries(members) as [
    keyof typeof members,
    'subject' | 'source' | 'text',
  ][]) {
    const source = parts[part];
    if (source === null || source === '') continue;
    const kind = part === 'html' ? 'html' : 'plain';
    const converted = toLiquid(source, { dialect: dialects[vendor], kind, fallbacks });
    const tell = ({ line, text }: { line: number; text: string }): string => `${part}, line ${line}: ${text}`;
    unknown.push(...converted.unknown.map(tell));
    differences.push(...converted.differences.map(tell));
    if (converted.liquid !== undefined && converted.liquid !== '') template[member] = converted.liquid;
  }
  return { template, unknown, differences };
}

/** A template as the API of the other service answers it, or why it is left out; undefined when it is something else. */
export function exportedTemplate(
  vendor: VendorName,
  item: Json,
): ExportedTemplate | { name: string; left_out: string } | undefined {
  return readers[vendor](item);
}

const readers: Record<VendorName, (item: Json) => ReturnType<typeof exportedTemplate>> = {
  resend(item) {
    const isTemplate = item['object'] === 'template' || 'published_at' in item;
    if (!isTemplate && (!('html' in item) || 'to' in item)) return undefined;
    if (textOf(item['html']) === null) return incomplete(item['name']);
    return {
      external_id: `resend/${textOf(item['id'])}`,
      alias: textOf(item['alias']),
      name: textOf(item['name']) ?? '',
      subject: textOf(item['subject']),
      html: textOf(item['html']),
      text: textOf(item['text']),
      fallbacks: fallbacksOf(item['variables']),
    };
  },
  postmark(item) {
    if (!('TemplateId' in item)) return undefined;
    const name = textOf(item['Name']) ?? '';
    if (item['TemplateType'] === 'Layout') return { name, left_out: 'a layout' };
    if (textOf(item['LayoutTemplate'])) {
      return { name, left_out: 'uses a layout: write the layout into the template' };
    }
    const [html, text] = [textOf(item['HtmlBody']), textOf(item['TextBody'])];
    if (html === null && text === null) return incomplete(name);
    return {
      external_id: `postmark/${textOf(item['TemplateId'])}`,
      alias: textOf(item['Alias']),
      name,
      subject: textOf(item['Subject']),
      html,
      text,
      fallbacks: new Map(),
    };
  },
  sendgrid(item) {
    if (!('versions' in item)) return undefined;
    const name = textOf(item['name']) ?? '';
    if (item['generation'] === 'legacy') return { name, left_out: 'a legacy template' };
    const versions = Array.isArray(item['versions']) ? (item['versions'] as unknown[]).filter(isObject) : [];
    const version = versions.find(({ active }) => active === 1);
    if (!version) return { name, left_out: 'has no active version' };
    if (textOf(version['html_content']) === null) return incomplete(name);
    const id = textOf(item['id']) ?? '';
    return {
      external_id: `sendgrid/${id}`,
      alias: id,
      name,
      subject: textOf(version['subject']),
      html: textOf(version['html_content']),
      text: textOf(version['plain_content']),
      fallbacks: new Map(),
    };
  },
};

function incomplete(name: unknown): { name: string; left_out: string } {
  return { name: textOf(name) ?? '', left_out: 'has no content: export each template, not their list' };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function fallbacksOf(variables: unknown): Map<string, string> {
  const listed = Array.isArray(variables) ? (variables as unknown[]).filter(isObject) : [];
  return new Map(
    listed.flatMap(({ key, fallback_value }) => {
      const fallback = textOf(fallback_value);
      return typeof key === 'string' && fallback !== null ? [[key, fallback]] : [];
    }),
  );
}
