import { digestOf } from '../base/digest.ts';
import { validationProblem, type Violation } from '../base/errors/problem.ts';
import type { Scope } from '../base/http/access.ts';
import type { Operation } from '../base/http/operation.ts';
import type { PropertySchema } from '../base/http/query-input.ts';
import { distinctViolations, type Input } from '../base/http/request-call.ts';
import { findUnsafeText } from '../base/http/text-safety.ts';
import { compileValidator, type Validate } from '../base/http/validation.ts';
import { bodyOf, inputSchema, listedInput, listedOutput, outputSchema, type Json } from './tool-schema.ts';
import type { ToolEntry } from './tool-table.ts';

/** An operation as a model sees and calls it. */
export interface Tool {
  entry: ToolEntry;
  operation: Operation;
  scope: Scope;
  /** As `tools/list` shows it. */
  shown: Json & { name: string; inputSchema: Json };
  /** The parts of a call, of one flat object; throws all its problems at once. */
  readArguments: (given: unknown) => Input;
}

export function makeTool(entry: ToolEntry, operation: Operation): Tool {
  const { access } = operation;
  if (access.kind !== 'api_key') throw new Error(`${operation.id} is not for API keys.`);
  const schema = inputSchema(operation, entry);
  // By the first call: all of them together would make every start slower.
  let validate: Validate | undefined;
  return {
    entry,
    operation,
    scope: access.scope,
    shown: {
      name: entry.name,
      title: operation.summary,
      description: entry.about ?? describe(entry, operation),
      inputSchema: listedInput(schema),
      outputSchema:
        entry.manages || entry.has_long_form ? { type: 'object' } : listedOutput(outputSchema(operation)),
      annotations: annotations(operation, entry),
    },
    readArguments: (all = {}) => {
      validate ??= compileValidator(schema);
      const given = isObject(all) ? withoutEmpty(operation, all) : all;
      // Where the handler reads items of the body one by one, it looks at their texts too.
      const unsafe = operation.checked_body ? [] : findUnsafeText(given);
      const violations = [...unsafe, ...validate(given)];
      const input = splitArguments(operation, entry, isObject(given) ? given : {});
      if (violations.length > 0) throw refusal(operation, violations, input.body);
      return input;
    },
  };
}

/** The title is the summary; it is said again where the description does not say what the tool does. */
function describe({ manages }: ToolEntry, { summary, description }: Operation): string {
  return manages ? description : `${summary}. ${description}`;
}

function annotations({ method }: Operation, { hints = {} }: ToolEntry): Json {
  const openWorldHint = hints.open_world ?? false;
  // The other hints mean nothing for a tool that only reads.
  if (method === 'GET') return { readOnlyHint: true, openWorldHint };
  return {
    readOnlyHint: false,
    destructiveHint: hints.destructive ?? false,
    idempotentHint: hints.idempotent ?? false,
    openWorldHint,
  };
}

function refusal({ validate }: Operation, violations: Violation[], body: unknown) {
  return validationProblem(distinctViolations([...violations, ...(validate?.(body, []) ?? [])]));
}

function splitArguments(operation: Operation, { pairs }: ToolEntry, given: Record<string, unknown>): Input {
  const { params, query, is_repeatable } = operation;
  const body = bodyOf(operation);
  const values = pairs ? { ...given, ...unpaired(given[pairs.name], pairs.of) } : given;
  const pick = (names: Iterable<string>): Record<string, unknown> =>
    Object.fromEntries(
      [...names].filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]),
    );
  const picked = body && pick(Object.keys(body.properties));
  const key = is_repeatable ? values['idempotency_key'] : undefined;
  return {
    params: params && pick(Object.keys(params.properties)),
    query: query && { ...defaultsOf(query.properties), ...pick(Object.keys(query.properties)) },
    body: picked,
    files: [],
    // A wrong one is refused by the schema.
    idempotent: typeof key === 'string' ? { key, body_digest: digestOf(JSON.stringify(picked)) } : undefined,
  };
}

/** Models fill in what they have no value for. An empty value of a query parameter is left out, as over HTTP. */
function withoutEmpty({ query }: Operation, given: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (name: string): boolean =>
    given[name] === '' && Object.hasOwn(query?.properties ?? {}, name);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isEmpty(name)));
}

/** As a query that leaves a parameter out. */
function defaultsOf(properties: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, PropertySchema>)
      .filter(([, property]) => property.default !== undefined)
      .map(([name, property]) => [name, property.default]),
  );
}

/** One list for each member, in the same order. */
function unpaired(list: unknown, names: string[]): Record<string, unknown[]> {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return Object.fromEntries(names.map((name) => [name, items.map((item) => item[name])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
