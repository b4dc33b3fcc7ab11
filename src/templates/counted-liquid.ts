import {
  defaultOperators,
  type Context,
  type Emitter,
  type FilterImplOptions,
  type Operators,
  type Tag,
  type Template,
} from 'liquidjs';
import { budgetOf, sizeOf, weights } from './liquid-budget.ts';

/** Tags, filters and operators that charge the budget first: the engine checks its own limits between nodes only. */

type Filter = Extract<FilterImplOptions, (...values: never[]) => unknown>;
type TagClass = new (...given: ConstructorParameters<typeof Tag>) => Template;

/** All branches of a tag are evaluated in one node, as are the values of `when`. */
export function countedTag(base: unknown): never {
  const counted = class extends (base as TagClass) {
    #cost: number;

    constructor(...given: ConstructorParameters<TagClass>) {
      super(...given);
      this.#cost = [...(this.arguments?.() ?? [])].length * weights.argument;
    }

    override *render(context: Context, emitter: Emitter): Generator<unknown, unknown> {
      budgetOf(context).use(this.#cost);
      return yield super.render(context, emitter);
    }
  };
  return counted as never;
}

export function countedFilter(name: string, filter: unknown): Filter {
  return function (...values) {
    const budget = budgetOf(this.context);
    const [value, argument] = values as unknown[];
    const size = values.reduce<number>((sum, each) => sum + sizeOf(each), 0);
    budget.use(weights.filter * values.length + size * passes(name, value));
    if (name === 'date') budget.use(weights.date * (1 + slowParts(values)));
    // The property path is parsed for each item.
    if (Array.isArray(value) && byProperty.has(name)) budget.use(value.length * sizeOf(argument));
    return (filter as Filter).apply(this, values);
  };
}

const byProperty: ReadonlySet<string> = new Set(['map', 'sum', 'sort', 'sort_natural']);

/** Names of days, months and zones and English dates call ICU each time. */
function slowParts([, format, zone]: unknown[]): number {
  const names = typeof format === 'string' ? (format.match(/[aAbBchxXZ]/g)?.length ?? 0) : 2 + sizeOf(format);
  return names + (zone === undefined ? 0 : 5);
}

/** Sorting visits each item log n times. */
function passes(name: string, value: unknown): number {
  return name.startsWith('sort') && Array.isArray(value) ? 1 + Math.ceil(Math.log2(value.length + 1)) : 1;
}

export function countedOperators(): Operators {
  const counted = Object.entries(defaultOperators).map(([name, operator]) => {
    const apply = operator as (...given: unknown[]) => never;
    return [
      name,
      name === 'not'
        ? (value: unknown, context: Context) => (charge(context), apply(value, context))
        : (left: unknown, right: unknown, context: Context) => (charge(context), apply(left, right, context)),
    ];
  });
  return Object.fromEntries(counted) as Operators;
}

/** Compared values were charged when they were read or created. */
function charge(context: Context): void {
  budgetOf(context).use(weights.operator);
}
