import type { ErrorObject } from 'ajv';
import type { Violation } from '../errors/problem.ts';
import { nearestName } from './nearest-name.ts';

type Translation = (error: ErrorObject) => Omit<Violation, 'pointer'> & { pointer?: string };

/** What a wrong type is called, by the type that was expected; strings where scalars belong did not parse. */
const typeNames: Record<string, { code: string; parsing?: string; message: string }> = {
  string: { code: 'string_type', message: 'Input should be a valid string' },
  integer: { code: 'int_type', parsing: 'int_parsing', message: 'Input should be a valid integer' },
  number: { code: 'float_type', parsing: 'float_parsing', message: 'Input should be a valid number' },
  boolean: { code: 'bool_type', parsing: 'bool_parsing', message: 'Input should be a valid boolean' },
  array: { code: 'list_type', message: 'Input should be a valid list' },
  object: { code: 'dict_type', message: 'Input should be a valid object' },
  null: { code: 'none_required', message: 'Input should be null' },
};

export function wrongType(expected: string, value: unknown): Omit<Violation, 'pointer'> {
  const name = typeNames[expected] ?? { code: 'value_error', message: 'Input has the wrong type' };
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { code: 'finite_number', message: 'Input should be a finite number' };
  }
  if (expected === 'integer' && typeof value === 'number') {
    return { code: 'int_from_float', message: 'Input should be a whole number' };
  }
  return {
    code: typeof value === 'string' && name.parsing ? name.parsing : name.code,
    message: name.message,
  };
}

const characters = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;
const items = (count: number): string => `${count} item${count === 1 ? '' : 's'}`;

const compare =
  (code: string, words: string, param: string): Translation =>
  ({ params }) => ({
    code,
    message: `Input should be ${words} ${params['limit']}`,
    params: { [param]: params['limit'] },
  });

const translations: Record<string, Translation> = {
  required: ({ params, instancePath }) => ({
    pointer: `${instancePath}/${escapePointer(String(params['missingProperty']))}`,
    code: 'missing',
    message: 'Field required',
  }),
  additionalProperties: ({ params, instancePath, parentSchema }) => {
    const given = String(params['additionalProperty']);
    const nearest = nearestName(given, Object.keys((parentSchema?.['properties'] as object) ?? {}));
    const hint = nearest === undefined ? '' : `; the nearest known name is '${nearest}'`;
    return {
      pointer: `${instancePath}/${escapePointer(given)}`,
      code: 'extra_forbidden',
      message: `Extra inputs are not permitted${hint}`,
    };
  },
  type: ({ params, data }) => {
    const expected = ([params['type']].flat() as string[]).flatMap((type) => type.split(','));
    return wrongType(expected.find((type) => type !== 'null') ?? 'null', data);
  },
  minLength: ({ params }) => ({
    code: 'string_too_short',
    message: `String should have at least ${characters(params['limit'])}`,
    params: { min_length: params['limit'] },
  }),
  maxLength: ({ params }) => ({
    code: 'string_too_long',
    message: `String should have at most ${characters(params['limit'])}`,
    params: { max_length: params['limit'] },
  }),
  pattern: ({ params }) => ({
    code: 'string_pattern_mismatch',
    message: `String should match pattern '${params['pattern']}'`,
    params: { pattern: params['pattern'] },
  }),
  enum: ({ params }) => {
    const expected = (params['allowedValues'] as (string | null)[]).filter((value) => value !== null);
    return {
      code: 'enum',
      message: `Input should be one of ${expected.map((value) => `'${value}'`).join(', ')}`,
      params: { expected },
    };
  },
  minimum: compare('greater_than_equal', 'greater than or equal to', 'ge'),
  maximum: compare('less_than_equal', 'less than or equal to', 'le'),
  minItems: ({ params, data }) => ({
    code: 'too_short',
    message: `List should have at least ${items(params['limit'])}`,
    params: { min_length: params['limit'], actual_length: (data as unknown[]).length },
  }),
  maxItems: ({ params, data }) => ({
    code: 'too_long',
    message: `List should have at most ${items(params['limit'])}`,
    params: { max_length: params['limit'], actual_length: (data as unknown[]).length },
  }),
  maxProperties: ({ params }) => ({
    code: 'too_long',
    message: `Object should have at most ${items(params['limit'])}`,
    params: { max_length: params['limit'] },
  }),
};

/** Puts one finding of the validator into the vocabulary of contract §16. */
export function violationOf(error: ErrorObject): Violation {
  const translate = translations[error.keyword];
  if (!translate) {
    return {
      pointer: error.instancePath,
      code: 'value_error',
      message: `Value is not valid: ${error.message ?? ''}`,
    };
  }
  const { instancePath, propertyName } = error;
  const name = propertyName === undefined ? '' : `/${escapePointer(propertyName)}`;
  return { pointer: `${instancePath}${name}`, ...translate(error) };
}

export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
