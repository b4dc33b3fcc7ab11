import type { Context } from 'liquidjs';

/** A template that asks for more work or more text than it may. */
export class TemplateLimit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateLimit';
  }
}

/** One unit is a character that is read or made; the rest is weighed against it. */
export const weights = {
  node: 200,
  argument: 100,
  operator: 100,
  read: 100,
  filter: 200,
  item: 50,
  date: 4_000,
};

/**
 * The work of one rendering, counted alike on every machine: the same template with the same values either always fits
 * or never. The engine asks it in place of its limits of time (`check`, before every node) and of memory (`use`, before
 * a filter or a range makes something).
 */
export class Budget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  use(units: number): void {
    if (!(units > 0)) return;
    this.#left -= units;
    if (this.#left < 0) throw new TemplateLimit('the template takes more work than it may');
  }

  check(): void {
    this.use(weights.node);
  }
}

/** The engine hands its context to tags, filters and operators; its limiters are the budget. */
export function budgetOf({ memoryLimit }: Context): Budget {
  return memoryLimit as unknown as Budget;
}

/** Of lists and objects, what they hold too: filters compare and join it, loops go through it. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let size = 0;
  for (const item of Object.values(value)) size += weights.item + sizeOf(item);
  return size;
}
