import type { UsedVariable } from './find-variables.ts';
import type { TemplateData } from './liquid.ts';

/** Asked of every list and text by Liquid itself. */
const ofLists: ReadonlySet<unknown> = new Set(['size', 'first', 'last']);

/** The paths that a template reads and the data does not have, each once: `order.items`. Null is there. */
export function missingVariables(used: UsedVariable[], data: TemplateData): string[] {
  const missing = new Set<string>();
  for (const { path } of used) if (!isGiven(path, data)) missing.add(pathText(path));
  return [...missing];
}

function isGiven(path: UsedVariable['path'], data: TemplateData): boolean {
  let value: unknown = data;
  for (const part of path) {
    if (typeof value === 'string') return ofLists.has(part);
    if (typeof value !== 'object' || value === null) return false;
    // How long a list is, is its own affair: a place beyond its end is empty, not missing.
    if (Array.isArray(value) && (typeof part === 'number' || ofLists.has(part))) return true;
    if (part === 'size' && !Object.hasOwn(value, part)) return true;
    if (!Object.hasOwn(value, part)) return false;
    value = (value as Record<string | number, unknown>)[part];
  }
  return true;
}

export function pathText(path: UsedVariable['path']): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}
