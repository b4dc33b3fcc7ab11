import type { Violation } from '../base/errors/problem.ts';

/** Values by name, as a send gives them: JSON. */
export type Variables = Readonly<Record<string, unknown>>;

/** The variables of a message: those of everyone, and those of one recipient by address in lower case. */
export interface MessageVariables {
  all: Variables;
  by_recipient: Readonly<Record<string, Variables>>;
}

export const variableLimits = {
  /** Of one object, as JSON in UTF-8. */
  bytes: 64 * 1024,
  /** Of all objects of a send together. */
  total_bytes: 1024 * 1024,
  depth: 10,
  /** Objects, lists and what they hold. */
  values: 5_000,
};

/** Placeholders of the platform. A value of the same name would never be seen. */
const reserved: readonly string[] = ['recipient', 'unsubscribe_url', 'view_url'];

export function isReserved(name: unknown): boolean {
  return reserved.includes(name as string);
}

/** The rules for one object of variables, whatever operation it comes with. */
export function validateVariables(pointer: string, variables: Variables): Violation[] {
  const violations = reserved
    .filter((name) => Object.hasOwn(variables, name))
    .map((name): Violation => {
      const message = `${name} is filled in by the service; use another name`;
      return { pointer: `${pointer}/${name}`, code: 'value_error.reserved_variable', message };
    });
  const { depth, values } = measure(variables);
  const excess = (message: string, params: Record<string, number>): void => {
    violations.push({ pointer, code: 'value_error.too_complex', message, params });
  };
  if (depth > variableLimits.depth) {
    excess(`Variables can be nested at most ${variableLimits.depth} deep`, {
      max_depth: variableLimits.depth,
    });
    return violations;
  }
  if (values > variableLimits.values) {
    excess(`There can be at most ${variableLimits.values} values`, { max_values: variableLimits.values });
  }
  if (Buffer.byteLength(JSON.stringify(variables)) > variableLimits.bytes) {
    const max_bytes = variableLimits.bytes;
    const message = `This should have at most ${max_bytes} bytes as JSON`;
    violations.push({ pointer, code: 'value_error.too_large', message, params: { max_bytes } });
  }
  return violations;
}

/** The parser of bodies has bounded the depth already. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 1 };
  let depth = 0;
  let values = 1;
  for (const item of Object.values(value)) {
    const inner = measure(item);
    depth = Math.max(depth, inner.depth);
    values += inner.values;
  }
  return { depth: depth + 1, values };
}

/** What is stored with a message: null when there is nothing to store. */
export function writeVariables({ all, by_recipient }: MessageVariables): Buffer | null {
  const isEmpty = Object.keys(all).length === 0 && Object.keys(by_recipient).length === 0;
  return isEmpty ? null : Buffer.from(JSON.stringify({ all, by_recipient }));
}

export function readVariables(stored: Buffer | null): MessageVariables {
  if (stored === null) return { all: {}, by_recipient: {} };
  return JSON.parse(stored.toString()) as MessageVariables;
}

/** Names of the recipient replace the same names of everyone. */
export function variablesFor({ all, by_recipient }: MessageVariables, address: string): Variables {
  const key = address.toLowerCase();
  return Object.hasOwn(by_recipient, key) ? { ...all, ...by_recipient[key] } : all;
}
