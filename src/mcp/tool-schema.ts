import type { TObject, TSchema } from 'typebox';
import { idempotencyKeySchema } from '../base/http/idempotency-key.ts';
import type { Operation } from '../base/http/operation.ts';
import type { ToolEntry } from './tool-table.ts';

/** A JSON Schema as it goes over the wire. */
export type Json = Record<string, unknown>;

type Properties = Record<string, TSchema & { items?: TSchema; minItems?: number; maxItems?: number }>;

/**
 * Path, query and body as one flat object, of the operation's own schemas. It is closed: a model must not believe that a
 * filter did something which does not exist.
 */
export function inputSchema(
  operation: Operation,
  { pairs, without: leftOut = [] }: ToolEntry,
): Json & { properties: Json } {
  const parts = [operation.params, operation.query, bodyOf(operation)].filter((part) => part !== undefined);
  const properties: Properties = {};
  const required: string[] = [];
  for (const part of parts) {
    for (const [name, schema] of Object.entries<Properties[string]>(part.properties)) {
      if (leftOut.includes(name)) continue;
      if (name in properties) throw new Error(`${operation.id} has two parameters named ${name}.`);
      properties[name] = schema;
    }
    required.push(...((part.required as string[] | undefined) ?? []));
  }
  if (operation.is_repeatable) properties['idempotency_key'] = idempotencyKey;
  const flat = { type: 'object', properties, required, additionalProperties: false };
  return pairs ? withPairs(flat, pairs) : flat;
}

export function bodyOf({ id, body: described, checked_body }: Operation): TObject | undefined {
  const body = checked_body ?? described;
  if (body !== undefined && (body as { type?: unknown }).type !== 'object')
    throw new Error(`The body of ${id} is not an object: it cannot be made flat.`);
  return body as TObject | undefined;
}

/** Over HTTP it is a header. */
const idempotencyKey = {
  ...idempotencyKeySchema.schema,
  description: idempotencyKeySchema.description,
} as unknown as Properties[string];

interface Flat extends Json {
  properties: Properties;
  required: string[];
}

/** Two lists of one length are easy to get out of step; a list of objects is not. */
function withPairs(flat: Flat, { name, of, about }: NonNullable<ToolEntry['pairs']>): Flat {
  const lists = of.map((each) => [each, flat.properties[each]] as const);
  const items = Object.fromEntries(lists.map(([each, list]) => [each, list?.items]));
  const { minItems, maxItems } = lists[0]?.[1] ?? {};
  const rest = Object.entries(flat.properties).filter(([each]) => !of.includes(each));
  const pair = { type: 'object', properties: items, required: of, additionalProperties: false };
  const list = { type: 'array', items: pair, minItems, maxItems, description: about };
  return {
    ...flat,
    properties: { [name]: list as unknown as Properties[string], ...Object.fromEntries(rest) },
    required: [name, ...flat.required.filter((each) => !of.includes(each))],
  };
}

export function outputSchema({ id, success }: Operation): Json {
  const { schema } = success;
  if ((schema as Json | undefined)?.['type'] !== 'object')
    throw new Error(`The answer of ${id} is not an object: it cannot be structured content.`);
  return schema as unknown as Json;
}

/** Names of our own document, samples, and bounds: a caller that sends too much gets an error, and answers need no bounds. */
const unlisted = new Set(
  '$id examples minLength maxLength minItems maxItems maxProperties minimum maximum pattern propertyNames'.split(
    ' ',
  ),
);
/** A number that a caller chooses. */
const chosen = new Set(['page_size']);
/** Parameters of many tools whose names say what they are. */
const selfExplanatory = new Set(['page', 'page_size', 'mail_id', 'sender_id', 'external_id']);

/** The parameters of a tool as they are listed: what is said of each, but not that null stands for leaving it out. */
export function listedInput(schema: Json): Json {
  return shortened(schema, (name, keywords) => {
    const { type, enum: words } = keywords;
    return {
      ...without(
        keywords,
        (keyword, value) =>
          (unlisted.has(keyword) && !(chosen.has(name) && keyword.endsWith('imum'))) ||
          (keyword === 'description' && selfExplanatory.has(name)) ||
          (keyword === 'required' && (value as unknown[]).length === 0),
      ),
      ...(Array.isArray(type) ? { type: listedType(type as string[]) } : {}),
      ...(Array.isArray(words) ? { enum: words.filter((each) => each !== null) } : {}),
    };
  });
}

/** One type: few clients know lists of them. What is a code or a word is told as its word; a call may have either. */
function listedType(types: string[]): string | undefined {
  return types.includes('string') ? 'string' : types.find((each) => each !== 'null');
}

/** Of an answer, longer lists of words are not told: the word that is in it says enough. */
const mostWords = 4;

/** The answer of a tool as it is listed: it speaks for itself, so only its form is told, and that of like objects once. */
export function listedOutput(schema: Json): Json {
  const form = shortened(schema, (_name, keywords) =>
    without(
      isPlain(keywords) ? {} : keywords,
      (keyword, value) =>
        unlisted.has(keyword) ||
        keyword === 'description' ||
        // A tenth of the list, and nothing that a model decides by.
        keyword === 'required' ||
        keyword === 'format' ||
        keyword === 'additionalProperties' ||
        (keyword === 'enum' && (value as unknown[]).length > mostWords),
    ),
  );
  return describedOnce(form, new Set());
}

/** A value tells its type itself. */
function isPlain({ type, enum: words }: Json): boolean {
  return words === undefined && [type].flat().every((each) => plain.has(String(each)));
}

const plain = new Set(['string', 'integer', 'number', 'boolean', 'null']);

/** The form of an object is described once; after that it is any object. */
function describedOnce(schema: Json, described: Set<string>): Json {
  if (schema['type'] === 'object' && schema['properties'] !== undefined) {
    const form = JSON.stringify(schema);
    if (described.has(form)) return { type: 'object' };
    described.add(form);
  }
  const below = (child: unknown): unknown => {
    if (Array.isArray(child)) return child.map(below);
    return typeof child === 'object' && child !== null ? describedOnce(child as Json, described) : child;
  };
  return Object.fromEntries(Object.entries(schema).map(([name, child]) => [name, below(child)]));
}

type Shorten = (name: string, keywords: Json) => Json;

/** Keywords are shortened, the names of members below `properties` are not keywords. */
function shortened(schema: Json, shorten: Shorten, name = ''): Json {
  const { properties: all, ...keywords } = schema;
  // The same in each of fifteen lists, and said in the text of each answer.
  const properties = name === 'pagination' ? undefined : all;
  const below = (child: unknown): unknown => {
    if (Array.isArray(child)) return child.map(below);
    return typeof child === 'object' && child !== null ? shortened(child as Json, shorten) : child;
  };
  const kept = Object.entries(shorten(name, keywords)).map(([keyword, child]) => [keyword, below(child)]);
  const members = Object.entries((properties ?? {}) as Record<string, Json>).map(([member, child]) => [
    member,
    shortened(child, shorten, member),
  ]);
  return Object.fromEntries(
    properties ? [...kept, ['properties', Object.fromEntries(members)]] : kept,
  ) as Json;
}

function without(keywords: Json, isLeftOut: (keyword: string, value: unknown) => boolean): Json {
  return Object.fromEntries(
    Object.entries(keywords).filter(([keyword, value]) => value !== undefined && !isLeftOut(keyword, value)),
  );
}
