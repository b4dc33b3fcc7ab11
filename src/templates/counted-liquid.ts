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

/** Parts of the engine that charge the budget before they work: it checks its own limits between nodes alone. */

type Filter = Extract<FilterImplOptions, (...values: never[]) => unknown>;
type TagClass = new (...given: ConstructorParameters<typeof Tag>) => Template;

/** The conditions of all branches are evaluated in one node, and so are the values of all `when`. */
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
    // Each item has its property looked up by a path that is taken apart every time.
    if (Array.isArray(value) && by_property.has(name)) budget.use(value.length * sizeOf(argument));
    return (filter as Filter).apply(this, values);
  };
}

const by_property: ReadonlySet<string> = new Set(['map', 'sum', 'sort', 'sort_natural']);

/** Names of days, months and zones, and whole dates as they are written in English, are asked of ICU each time. */
function slowParts([, format, zone]: unknown[]): number {
  const names = typeof format === 'string' ? (format.match(/[aAbBchxXZ]/g)?.length ?? 0) : 2 + sizeOf(format);
  return names + (zone === undefined ? 0 : 5);
}

/** Sorting looks at each item log n times. */
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

/** What is compared was charged for when it was read or made. */
function charge(context: Context): void {
  budgetOf(context).use(weights.operator);
}
