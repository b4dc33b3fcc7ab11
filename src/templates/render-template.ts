import { LiquidError } from 'liquidjs';
import { Budget, TemplateLimit } from './liquid-budget.ts';
import { renderLiquid, type LiquidKind, type TemplateData } from './liquid.ts';
import { max_added_length } from './liquid-limits.ts';
import { parsedLiquid } from './parsed-liquid.ts';
import type { TemplateContent } from './template-content.ts';

/** A part is null when the template does not have it. */
export type RenderedTemplate = TemplateContent;

/** What a template and its values cannot be made into, however often it is tried. */
export class TemplateFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateFailure';
  }
}

/** What the record of a mail holds (contract §6); a long name must not keep a mail from being sent. */
const max_subject_length = 254;

/**
 * The content for one recipient: escaped in HTML, on one line in the subject; unknown placeholders are empty. Throws
 * `TemplateLimit` when the units do not suffice, `TemplateFailure` for everything else.
 */
export function renderTemplate(
  { subject, html, text }: TemplateContent,
  data: TemplateData,
  units: number,
): RenderedTemplate {
  const budget = new Budget(units);
  const render = (source: string | null, kind: LiquidKind): string | null => {
    if (source === null || !source.includes('{')) return source;
    const max_length = source.length + max_added_length;
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

/** The engine wraps what is thrown inside it, some of it twice. */
function causeOf(error: unknown): Error {
  let cause = error;
  while (LiquidError.is(cause) && cause.originalError) cause = cause.originalError;
  return cause instanceof TemplateLimit ? cause : new TemplateFailure((error as Error).message);
}

/** Line breaks would begin a new header (RFC 5322 §2.2); no other control character has a place there either. */
function oneLine(subject: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = subject.replaceAll(/[\u0000-\u001f\u007f]/g, '');
  return line.length <= max_subject_length ? line : Array.from(line).slice(0, max_subject_length).join('');
}
