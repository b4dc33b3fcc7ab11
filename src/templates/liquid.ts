import { Context, Liquid, toValueSync, type Emitter, type Template } from 'liquidjs';
import { escapeHtml } from '../base/http/html.ts';

/** HTML has the values of its placeholders escaped; subjects and plain text have nothing to escape. */
export type LiquidKind = 'html' | 'plain';

/** What a placeholder can stand for. Anything else renders as nothing. */
export interface TemplateVariables {
  recipient: { email: string; name?: string | null };
  unsubscribe_url?: string;
  view_url?: string;
}

const max_source_length = 5 * 1024 * 1024;
const max_output_length = 8 * 1024 * 1024;
/** Strings and list items that filters and ranges may make in one rendering. */
const max_made = 10_000_000;
/** Parsing takes quadratic time beyond some thousands: 27 ms for 5,000 tags, 1.7 s for 50,000. */
export const max_liquid_tags = 5_000;

/**
 * Tags that read other templates have nothing to read here. `liquid` holds any number of tags in one, so that they
 * could not be counted beforehand. The filter `raw` would let a value into the HTML unescaped.
 */
const left_out = { tags: ['include', 'render', 'layout', 'block', 'liquid'], filters: ['raw'] };

const engines: Record<LiquidKind, Liquid> = {
  html: createEngine((value) => escapeHtml(bounded(textOf(value)))),
  plain: createEngine(textOf),
};

function createEngine(outputEscape: (value: unknown) => string): Liquid {
  const engine = new Liquid({
    outputEscape,
    // In place of the file system.
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en',
    parseLimit: max_source_length,
    memoryLimit: max_made,
  });
  for (const tag of left_out.tags) delete engine.tags[tag];
  for (const filter of left_out.filters) delete engine.filters[filter];
  return engine;
}

/** Throws a `LiquidError` with its position for what is not Liquid. */
export function parseLiquid(source: string, kind: LiquidKind): Template[] {
  return engines[kind].parse(source);
}

interface Rendering {
  kind: LiquidKind;
  variables: TemplateVariables;
  max_ms: number;
}

export function renderLiquid(templates: Template[], { kind, variables, max_ms }: Rendering): string {
  const engine = engines[kind];
  const scope = {
    recipient: { email: variables.recipient.email, name: variables.recipient.name ?? '' },
    unsubscribe_url: variables.unsubscribe_url ?? '',
    view_url: variables.view_url ?? '',
  };
  const limits = { sync: true, renderLimit: max_ms };
  const context = new Context(scope, engine.options, limits, { liquid: engine });
  const output = new BoundedOutput();
  toValueSync(engine.renderer.renderTemplates(templates, context, output));
  return output.buffer;
}

/** The engine bounds what filters make, but not how often a loop may write the text inside it. */
class BoundedOutput implements Emitter {
  buffer = '';

  write(value: unknown): void {
    this.buffer = bounded(this.buffer + textOf(value));
  }
}

/** Cheap also for the longest: the engine joins strings without copying them, and this keeps them from being read. */
function bounded(text: string): string {
  if (text.length > max_output_length) throw new Error('output limit exceeded');
  return text;
}

/** Lists are joined; objects such as `recipient` itself have no text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(textOf).join('') : '';
}
