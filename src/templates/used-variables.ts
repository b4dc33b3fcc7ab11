import type { Template } from 'liquidjs';
import { findVariables, type UsedVariable } from './find-variables.ts';
import { parsedLiquid } from './parsed-liquid.ts';
import type { TemplateContent } from './template-content.ts';

/** What subject, HTML and text of a template read, each path once. */
export function usedVariables({ subject, html, text }: TemplateContent): UsedVariable[] {
  const sources = [
    { source: subject, kind: 'plain' },
    { source: html, kind: 'html' },
    { source: text, kind: 'plain' },
  ] as const;
  const used = new Map<string, UsedVariable>();
  for (const { source, kind } of sources) {
    if (!source?.includes('{')) continue;
    for (const each of variablesIn(parsedLiquid(source, kind))) used.set(JSON.stringify(each.path), each);
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
