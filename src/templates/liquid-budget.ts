import type { Context } from 'liquidjs';

/** The template exceeds its budget of work or text. */
export class TemplateLimit extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateLimit';
  }
}

/** In units of one character read or written. */
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
 * Counts the work of one rendering independently of the machine: a template with the same values always fits or
 * never. It replaces the engine's limiters of time (`check`, before every node) and memory (`use`, before a filter or
 * range allocates).
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

/** The engine passes its context to tags, filters and operators; its limiters are the budget. */
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
