import { LiquidError } from 'liquidjs';
import type { Violation } from '../base/errors/problem.ts';
import { explainForbidden } from './liquid-allowed.ts';
import { Budget } from './liquid-budget.ts';
import { validateLimits, maxAddedLength, trialUnits } from './liquid-limits.ts';
import { parseLiquid, renderLiquid, type LiquidKind } from './liquid.ts';
import { sampleData } from './template-data.ts';

/** A text to be saved. */
export interface WrittenPart {
  pointer: string;
  source: string | null;
  kind: LiquidKind;
}

/** Parses and test-renders a text, so that errors show on save and not on send. */
export function validateLiquid({ pointer, source, kind }: WrittenPart): Violation[] {
  if (source === null) return [];
  const beyond = validateLimits(pointer, source);
  if (beyond.length > 0) return beyond;
  try {
    const max_length = source.length + maxAddedLength;
    const trial = { kind, data: sampleData, budget: new Budget(trialUnits), max_length };
    renderLiquid(parseLiquid(source, kind), trial);
    return [];
  } catch (error) {
    return [violationOf(pointer, error as Error)];
  }
}

function violationOf(pointer: string, error: Error): Violation {
  const code = 'value_error.liquid';
  if (error instanceof RangeError) return { pointer, code, message: 'Values are nested too deeply' };
  if (!LiquidError.is(error)) return { pointer, code, message: error.message };
  const { token } = error as unknown as { token: { getPosition(): [number, number] } };
  const [line, column] = token.getPosition();
  const what = error.message.replace(/, line:\d+, col:\d+$/, '');
  const message = `Line ${line}, column ${column}: ${explainForbidden(what) ?? what}`;
  return { pointer, code, message, params: { line, column } };
}
