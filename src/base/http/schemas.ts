import { Type, type TSchema, type TUnsafe, type Static } from 'typebox';

/** `type: [..., "null"]`, which reads better in OpenAPI 3.1 than an anyOf and validates in one step. */
export function Nullable<Schema extends TSchema & { type?: string }>(
  schema: Schema,
): TUnsafe<Static<Schema> | null> {
  // A named schema stays what its name says; the document refers to it.
  if (typeof schema.type !== 'string' || '$id' in schema)
    return Type.Unsafe({ anyOf: [schema, { type: 'null' }] });
  const values = (schema as { enum?: unknown[] }).enum;
  return Type.Unsafe({
    ...schema,
    type: [schema.type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  });
}

/** A closed set of words. */
export function Enum<const Values extends readonly string[]>(
  values: Values,
  options: Record<string, unknown> = {},
): TUnsafe<Values[number]> & { type: string } {
  return Type.Unsafe({ type: 'string', enum: [...values], ...options }) as TUnsafe<Values[number]> & {
    type: string;
  };
}

/** RFC 3339 in UTC. Handlers return a Date; JSON makes the string. */
export function DateTime(description: string): TUnsafe<Date> & { type: string } {
  return Type.Unsafe({
    type: 'string',
    format: 'date-time',
    description,
  }) as TUnsafe<Date> & { type: string };
}

/** Identifiers are integers that a JavaScript number holds exactly. */
export const Id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
