import type { Template } from 'liquidjs';
import { findVariables, type PartVariable, type UsedVariable } from './find-variables.ts';
import { parsedLiquid } from './parsed-liquid.ts';
import type { TemplateContent } from './template-content.ts';

const kinds = { subject: 'plain', html: 'html', text: 'plain' } as const;

/** What a template reads: each path once in each part, where it stands first. */
export function usedVariables(content: TemplateContent): PartVariable[] {
  const used = new Map<string, PartVariable>();
  for (const part of ['subject', 'html', 'text'] as const) {
    const source = content[part];
    if (!source?.includes('{')) continue;
    for (const each of variablesIn(parsedLiquid(source, kinds[part]))) {
      const key = JSON.stringify([part, each.path]);
      if (!used.has(key)) used.set(key, { ...each, part });
    }
  }
  return [...used.values()];
}

const known = new WeakMap<Template[], UsedVariable[]>();

/** Remembered as long as what was parsed is. */
function variablesIn(templates: Template[]): UsedVariable[] {
  const found = known.get(templates) ?? findVariables(templates);
  known.set(templates, found);
  return found;
}
