import type { Violation } from '../base/errors/problem.ts';
import { createProcessPool, JobLimit } from '../base/processes/process-pool.ts';
import type { WrittenPart } from './validate-liquid.ts';
import { TemplateLimit } from './liquid-budget.ts';
import { isSmall, smallUnits } from './liquid-limits.ts';
import type { PartVariable } from './find-variables.ts';
import type { LiquidTask, Rendered } from './liquid-process.ts';
import type { TemplateData } from './liquid.ts';
import type { MjmlOutcome } from './render-mjml.ts';
import { renderTemplate, TemplateFailure, type RenderedTemplate } from './render-template.ts';
import type { TemplateContent } from './template-content.ts';
import { usedVariables } from './used-variables.ts';

/**
 * The only place that renders templates. Small ones are rendered in this process within less than a millisecond of
 * work, others in processes that are killed beyond a time limit and shared fairly between instances. Throws
 * `service_unavailable` when the instance has too many waiting.
 */
export interface TemplateRenderer {
  /** Renders for one recipient. Throws `TemplateFailure` when that is impossible. */
  render(instanceId: number, content: TemplateContent, data: TemplateData): Promise<RenderedTemplate>;
  /** What the content reads beyond the platform's own placeholders. Throws `TemplateFailure` as `render` does. */
  variables(instanceId: number, content: TemplateContent): Promise<PartVariable[]>;
  /** Violations that prevent saving. */
  validate(instanceId: number, parts: WrittenPart[]): Promise<Violation[]>;
  mjml(instanceId: number, source: string): Promise<MjmlOutcome>;
  stop(): void;
}

export interface RendererLimits {
  /** CPU time of Liquid for all parts of one mail or saved template. */
  liquid_max_ms: number;
  /** CPU time of MJML. */
  mjml_max_ms: number;
}

/** Longer sources may take a good part of a second to parse and go to the process for large jobs. */
const maxSmallLiquid = 256 * 1024;
/** A page of MJML; a hostile one of this length takes 0.3 s. */
const maxSmallMjml = 16 * 1024;
const tooMuch = 'It takes too long to make this into HTML: it is too large or too complicated';

export function createTemplateRenderer({ liquid_max_ms, mjml_max_ms }: RendererLimits): TemplateRenderer {
  const processes = { idle_ms: 60_000, max_waiting: 100 };
  const liquid = createProcessPool({
    ...processes,
    module: new URL('liquid-process.ts', import.meta.url),
    max_ms: liquid_max_ms,
    quick_ms: Math.min(250, liquid_max_ms),
    isSmall: isSmallTask,
    max_megabytes: 256,
  });
  const mjml = createProcessPool({
    ...processes,
    module: new URL('mjml-process.ts', import.meta.url),
    max_ms: mjml_max_ms,
    quick_ms: Math.min(500, mjml_max_ms),
    isSmall: (source: string) => source.length <= maxSmallMjml,
    max_megabytes: 512,
  });
  const ask = async (instanceId: number, task: LiquidTask): Promise<unknown> =>
    await liquid.run(instanceId, task);

  return {
    async render(instanceId, content, data) {
      const here = renderHere(content, data);
      if (here) return here;
      const outcome = (await ask(instanceId, { kind: 'render', content, data }).catch(asFailure)) as Rendered;
      if ('failure' in outcome) throw new TemplateFailure(outcome.failure);
      return outcome.rendered;
    },
    async variables(instanceId, content) {
      const isHere = sourcesOf(content).every((source) => source === null || isSmall(source));
      if (isHere) return variablesHere(content);
      const found = await ask(instanceId, { kind: 'variables', content }).catch(asFailure);
      if (!Array.isArray(found)) throw new TemplateFailure((found as { failure: string }).failure);
      return found as PartVariable[];
    },
    async validate(instanceId, parts) {
      const found = await ask(instanceId, { kind: 'validate', parts }).catch(asFailure);
      if (Array.isArray(found)) return found as Violation[];
      const [{ pointer } = { pointer: '' }] = parts;
      return [{ pointer, code: 'value_error.liquid', message: (found as { failure: string }).failure }];
    },
    async mjml(instanceId, source) {
      const outcome = await mjml.run(instanceId, source).catch(asFailure);
      const isFailure = (outcome as { failure?: string }).failure !== undefined;
      return isFailure ? { errors: [{ line: 1, tag: 'mjml', message: tooMuch }] } : (outcome as MjmlOutcome);
    },
    stop() {
      liquid.stop();
      mjml.stop();
    },
  };
}

function isSmallTask(task: LiquidTask): boolean {
  const sources = task.kind === 'validate' ? task.parts.map(({ source }) => source) : sourcesOf(task.content);
  return lengthOf(sources) <= maxSmallLiquid;
}

/** Undefined when it is too large or exceeded the small budget. */
function renderHere(content: TemplateContent, data: TemplateData): RenderedTemplate | undefined {
  const sources = sourcesOf(content);
  if (!sources.every((source) => source === null || isSmall(source))) return undefined;
  try {
    return renderTemplate(content, data, smallUnits(lengthOf(sources)));
  } catch (error) {
    if (error instanceof TemplateLimit) return undefined;
    throw error;
  }
}

function variablesHere(content: TemplateContent): PartVariable[] {
  try {
    return usedVariables(content);
  } catch (error) {
    throw new TemplateFailure((error as Error).message);
  }
}

type Sources = (string | null)[];

function sourcesOf({ subject, html, text }: TemplateContent): Sources {
  return [subject, html, text];
}

function lengthOf(sources: Sources): number {
  return sources.reduce((sum, source) => sum + (source?.length ?? 0), 0);
}

function asFailure(error: unknown): { failure: string } {
  if (error instanceof JobLimit) return { failure: `the template was stopped: ${error.message}` };
  throw error;
}
