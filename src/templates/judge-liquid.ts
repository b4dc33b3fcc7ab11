import { LiquidError } from 'liquidjs';
import type { Violation } from '../base/errors/problem.ts';
import {
  max_liquid_tags,
  parseLiquid,
  renderLiquid,
  type LiquidKind,
  type TemplateVariables,
} from './liquid.ts';

/** Whom a template is tried with when it is saved, and shown for when nobody else is named. */
export const sampleVariables: TemplateVariables = {
  recipient: { email: 'ana@example.com', name: 'Ana Rojas' },
  unsubscribe_url: 'https://mail.example.com/u/sample',
  view_url: 'https://mail.example.com/view/sample',
};

/** Stricter than sending: what is saved within this has plenty of room left when a machine is busy. */
const max_trial_ms = 250;

/** Parses and tries a text, so that a mistake shows when it is saved and not when it is sent. */
export function judgeLiquid(pointer: string, source: string | null, kind: LiquidKind): Violation[] {
  if (source === null) return [];
  const tags = source.match(/\{[{%]/g)?.length ?? 0;
  if (tags > max_liquid_tags) {
    const message = `There are ${tags} Liquid tags; there can be at most ${max_liquid_tags}`;
    return [{ pointer, code: 'value_error.liquid', message, params: { max_tags: max_liquid_tags } }];
  }
  try {
    renderLiquid(parseLiquid(source, kind), { kind, variables: sampleVariables, max_ms: max_trial_ms });
    return [];
  } catch (error) {
    return [violationOf(pointer, error as Error)];
  }
}

function violationOf(pointer: string, error: Error): Violation {
  if (!LiquidError.is(error)) return { pointer, code: 'value_error.liquid', message: error.message };
  const { token } = error as unknown as { token: { getPosition(): [number, number] } };
  const [line, column] = token.getPosition();
  const what = error.message.replace(/, line:\d+, col:\d+$/, '');
  return {
    pointer,
    code: 'value_error.liquid',
    message: `Line ${line}, column ${column}: ${what}`,
    params: { line, column },
  };
}
