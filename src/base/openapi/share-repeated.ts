import type { ErrorCode } from '../errors/catalogue.ts';

type Json = Record<string, unknown>;

interface Parameter extends Json {
  name: string;
}

/** The parts of a described operation that may occur in others too. */
export interface SharingOperation extends Json {
  operationId: string;
  parameters: (Parameter | Reference)[];
  responses: Record<string, Json>;
}

interface Reference {
  $ref: string;
}

interface Shared {
  parameters: Record<string, Json>;
  responses: Record<string, Json>;
}

/**
 * Moves each parameter and each response that several operations have among the components, in place. What one
 * single operation has stays in that operation.
 */
export function shareRepeated(operations: SharingOperation[]): Shared {
  const parameters = new Repeated(
    operations.flatMap(({ operationId, parameters: own }) =>
      own.filter(isParameter).map((part) => ({ operationId, part, name: part.name })),
    ),
  );
  const responses = new Repeated(
    operations.flatMap(({ operationId, responses: own }) =>
      Object.values(own)
        .filter((part) => 'content' in part)
        .map((part) => ({ operationId, part, name: codesOf(part) ?? `${operationId}_success` })),
    ),
  );
  for (const operation of operations) {
    operation.parameters = operation.parameters.map(
      (each) => parameters.referenceTo(each, 'parameters') ?? each,
    );
    for (const [status, each] of Object.entries(operation.responses))
      operation.responses[status] = { ...(responses.referenceTo(each, 'responses') ?? each) };
  }
  return { parameters: parameters.components(), responses: responses.components() };
}

interface Occurrence {
  operationId: string;
  part: Json;
  name: string;
}

class Repeated {
  readonly #byText = new Map<string, { name: string; part: Json }>();

  constructor(occurrences: Occurrence[]) {
    const byText = Map.groupBy(occurrences, ({ part }) => JSON.stringify(part));
    const repeated = [...byText].filter(([, all]) => all.length > 1);
    const variants = Map.groupBy(repeated, ([, [first]]) => first?.name);
    for (const [text, [first]] of repeated) {
      if (!first) continue;
      // Two parameters of one name that differ are told apart by the first operation that has each.
      const isOnly = variants.get(first.name)?.length === 1;
      const name = pascalCase(isOnly ? first.name : `${first.operationId}_${first.name}`);
      this.#byText.set(text, { name, part: first.part });
    }
  }

  referenceTo(part: Json | Reference, kind: 'parameters' | 'responses'): Reference | undefined {
    const shared = this.#byText.get(JSON.stringify(part));
    return shared && { $ref: `#/components/${kind}/${shared.name}` };
  }

  components(): Record<string, Json> {
    const named = [...this.#byText.values()].map(({ name, part }) => [name, part] as const);
    if (new Set(named.map(([name]) => name)).size < named.length)
      throw new Error('Two shared parts of the document have one name.');
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function isParameter(parameter: Parameter | Reference): parameter is Parameter {
  return 'name' in parameter;
}

/** An error is what its codes are: `ForbiddenOrIpNotAllowed`. */
function codesOf({ content }: Json): string | undefined {
  const problem = (
    content as Record<string, { examples?: Partial<Record<ErrorCode, unknown>> }> | undefined
  )?.['application/problem+json'];
  return problem?.examples && Object.keys(problem.examples).join('_or_');
}

function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
