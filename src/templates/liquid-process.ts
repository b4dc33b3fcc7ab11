import type { Violation } from '../base/errors/problem.ts';
import { answerParent } from '../base/processes/answer-parent.ts';
import { validateLiquid, type WrittenPart } from './validate-liquid.ts';
import type { PartVariable } from './find-variables.ts';
import { usedVariables } from './used-variables.ts';
import { renderUnits } from './liquid-limits.ts';
import type { TemplateData } from './liquid.ts';
import { renderTemplate, type RenderedTemplate } from './render-template.ts';
import type { TemplateContent } from './template-content.ts';

export type LiquidTask =
  | { kind: 'variables'; content: TemplateContent }
  | { kind: 'validate'; parts: WrittenPart[] }
  | { kind: 'render'; content: TemplateContent; data: TemplateData };

export type Rendered = { rendered: RenderedTemplate } | { failure: string };

/** Worker process that validates Liquid, and renders what may be slow. */
answerParent((task: LiquidTask): Violation[] | PartVariable[] | Rendered => {
  if (task.kind === 'validate') return task.parts.flatMap(validateLiquid);
  try {
    if (task.kind === 'variables') return usedVariables(task.content);
    return { rendered: renderTemplate(task.content, task.data, renderUnits) };
  } catch (error) {
    return { failure: (error as Error).message };
  }
});
