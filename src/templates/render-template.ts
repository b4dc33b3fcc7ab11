import { LiquidError } from 'liquidjs';
import { Budget, TemplateLimit } from './liquid-budget.ts';
import { renderLiquid, type LiquidKind, type TemplateData } from './liquid.ts';
import { maxAddedLength } from './liquid-limits.ts';
import { parsedLiquid } from './parsed-liquid.ts';
import type { TemplateContent } from './template-content.ts';

export type RenderedTemplate = TemplateContent;

/** The template cannot be rendered with these values; retrying does not help. */
export class TemplateFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateFailure';
  }
}

/** Limit of a subject (contract §6); a long name must not prevent a send. */
const maxSubjectLength = 254;

/**
 * Renders for one recipient: escaped in HTML, one line in the subject. Throws `TemplateLimit` when the units are
 * exceeded, `TemplateFailure` for other errors.
 */
export function renderTemplate(
  { subject, html, text }: TemplateContent,
  data: TemplateData,
  units: number,
): RenderedTemplate {
  const budget = new Budget(units);
  const render = (source: string | null, kind: LiquidKind): string | null => {
    if (source === null || !source.includes('{')) return source;
    const max_length = source.length + maxAddedLength;
    try {
      return renderLiquid(parsedLiquid(source, kind), { kind, data, budget, max_length });
    } catch (error) {
      throw causeOf(error);
    }
  };
  const line = render(subject, 'plain');
  return {
    subject: line === null ? null : oneLine(line),
    html: render(html, 'html'),
    text: render(text, 'plain'),
  };
}

/** The engine wraps errors, some of them twice. */
function causeOf(error: unknown): Error {
  let cause = error;
  while (LiquidError.is(cause) && cause.originalError) cause = cause.originalError;
  return cause instanceof TemplateLimit ? cause : new TemplateFailure((error as Error).message);
}

/** Line breaks would start a new header (RFC 5322 §2.2); other control characters are invalid too. */
function oneLine(subject: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = subject.replaceAll(/[\u0000-\u001f\u007f]/g, '');
  return line.length <= maxSubjectLength ? line : Array.from(line).slice(0, maxSubjectLength).join('');
}
