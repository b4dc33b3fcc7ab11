import { Context, Liquid, toValueSync, type Emitter, type Template } from 'liquidjs';
import { escapeHtml } from '../base/http/html.ts';
import { countedFilter, countedOperators, countedTag } from './counted-liquid.ts';
import { countRanges, makeRange, rangeFilter } from './counted-ranges.ts';
import { allowedFilters, allowedTags } from './liquid-names.ts';
import { budgetOf, sizeOf, TemplateLimit, weights, type Budget } from './liquid-budget.ts';

/** Values are escaped in HTML, not in subjects and plain text. */
export type LiquidKind = 'html' | 'plain';

/** Values of placeholders. Missing ones render as nothing. */
export type TemplateData = Readonly<Record<string, unknown>>;

const engines: Record<LiquidKind, Liquid> = {
  html: createEngine(escapeHtml),
  plain: createEngine((text) => text),
};

function createEngine(escape: (text: string) => string): Liquid {
  const engine = new Liquid({
    outputEscape(this: { context: Context }, value: unknown) {
      const text = textOf(value);
      budgetOf(this.context).use(weights.filter + 6 * text.length);
      return escape(text);
    },
    operators: countedOperators(),
    // Replaces the file system.
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en',
  });
  const { tags, filters } = engine;
  // Without a prototype: `constructor` must not be a tag or filter.
  const only = (names: readonly string[], make: (name: string) => unknown): never =>
    Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, make(name)]))) as never;
  Object.assign(engine, {
    tags: only(allowedTags, (name) => countedTag(tags[name])),
    filters: only(allowedFilters, (name) => countedFilter(name, filters[name])),
  });
  engine.filters[rangeFilter] = function (from: unknown, to: unknown) {
    return makeRange(this.context, from, to);
  };
  return engine;
}

/** Throws a `LiquidError` with its position for what is not Liquid. */
export function parseLiquid(source: string, kind: LiquidKind): Template[] {
  return countRanges(engines[kind].parse(source));
}

interface Rendering {
  kind: LiquidKind;
  data: TemplateData;
  budget: Budget;
  max_length: number;
}

/** Throws a `LiquidError` with its position. */
export function renderLiquid(templates: Template[], { kind, data, budget, max_length }: Rendering): string {
  const engine = engines[kind];
  const output = new BoundedOutput(max_length);
  // A copy, since `increment` writes to it.
  const context = new BoundedContext({ ...data }, engine, budget);
  toValueSync(engine.renderer.renderTemplates(templates, context, output));
  return output.buffer;
}

/** Charges for values that are read, since later work is proportional to their size. */
class BoundedContext extends Context {
  constructor(data: object, engine: Liquid, budget: Budget) {
    const limiter = budget as never;
    super(
      data,
      engine.options,
      { sync: true },
      { liquid: engine, memoryLimit: limiter, renderLimit: limiter },
    );
  }

  override *_get(paths: Parameters<Context['_get']>[0]): Generator<unknown, unknown> {
    const value: unknown = yield super._get(paths);
    budgetOf(this).use(weights.read * (1 + paths.length) + sizeOf(value));
    return value;
  }
}

class BoundedOutput implements Emitter {
  buffer = '';
  readonly #max_length: number;

  constructor(max_length: number) {
    this.#max_length = max_length;
  }

  write(value: unknown): void {
    this.buffer += textOf(value);
    if (this.buffer.length > this.#max_length) {
      throw new TemplateLimit('the template makes more text than it may');
    }
  }
}

/** Lists are joined; objects such as `recipient` have no text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(textOf).join('') : '';
}
