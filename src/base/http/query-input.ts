import type { TObject } from 'typebox';
import { Problem, type Violation } from '../errors/problem.ts';
import { escapePointer, wrongType } from './violations.ts';

interface Reading {
  values: Record<string, unknown>;
  violations: Violation[];
}

export interface PropertySchema {
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  items?: PropertySchema;
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const noQuery = new URLSearchParams();

/** Decodes the query of a URL. A `+` is a space; a broken percent-encoding is refused before anything else. */
export function parseQuery(url: string): URLSearchParams {
  const start = url.indexOf('?');
  if (start === -1) return noQuery;
  const text = url.slice(start + 1);
  try {
    // URLSearchParams would put U+FFFD in place of what cannot be decoded.
    decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('bad_request', { detail: 'The query string has a malformed percent-encoding.' });
  }
  return new URLSearchParams(text);
}

/**
 * Turns the strings of a query or a path into the types its schema declares; parameters it does not know are left out. So is
 * one with an empty value, whatever its type: `?recipient=` is the form of a client that had nothing to say. In a list each
 * value counts.
 */
export function readStrings(schema: TObject, source: (name: string) => string[]): Reading {
  const reading: Reading = { values: {}, violations: [] };
  for (const [name, property] of Object.entries(schema.properties as Record<string, PropertySchema>)) {
    const given = source(name);
    const repeated = property.type === 'array';
    if (given.length === 0 || (!repeated && given.at(-1) === '')) {
      if (property.default !== undefined) reading.values[name] = property.default;
      continue;
    }
    const wanted = repeated ? property.items : property;
    const texts = repeated ? given : given.slice(-1);
    const values = texts.map((text, index) => {
      const value = isNull(wanted, text) ? null : readAny(scalarTypes(wanted), text);
      if (value === undefined) {
        const pointer = `/${escapePointer(name)}${repeated ? `/${index}` : ''}`;
        reading.violations.push({ pointer, ...wrongType(scalarType(wanted), text) });
      }
      return value;
    });
    if (values.every((value) => value !== undefined)) reading.values[name] = repeated ? values : values[0];
  }
  return reading;
}

/** A query has no null of its own. Free text is taken as it is, since an identifier may well be the word null. */
function isNull(schema: PropertySchema | undefined, text: string): boolean {
  if (text !== 'null') return false;
  const isText = scalarType(schema) === 'string' && schema?.enum === undefined;
  return !isText && [schema?.type].flat().includes('null');
}

function scalarTypes(schema: PropertySchema | undefined): string[] {
  return [schema?.type ?? 'string'].flat().filter((type) => type !== 'null');
}

export function scalarType(schema: PropertySchema | undefined): string {
  return scalarTypes(schema)[0] ?? 'string';
}

/** As the first of these types that can have it. */
function readAny(types: string[], text: string): unknown {
  for (const type of types) {
    const value = readScalar(type, text);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function readScalar(type: string, text: string): unknown {
  switch (type) {
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
    case 'boolean':
      return booleans.get(text.toLowerCase());
    default:
      return text;
  }
}
