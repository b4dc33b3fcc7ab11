import type { TSchema } from 'typebox';

/** Collects the schemas that have a `$id`, so that the document names each once and refers to it. */
export class Components {
  readonly #schemas = new Map<string, unknown>();
  readonly #texts = new Map<string, string>();

  refer(schema: TSchema): unknown {
    return this.#lift(schema);
  }

  schemas(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #lift(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#lift(item));
    if (!isObject(value)) return value;
    const { $id, ...rest } = describeDefault(value) as { $id?: string } & Record<string, unknown>;
    if ($id === undefined) return this.#lifted(rest);
    const text = JSON.stringify(rest);
    const known = this.#texts.get($id);
    if (known === undefined) {
      // Reserved before it is filled: a schema may contain itself.
      this.#texts.set($id, text);
      this.#schemas.set($id, {});
      this.#schemas.set($id, this.#lifted(rest));
    } else if (known !== text) {
      throw new Error(`Two different schemas are named ${$id}.`);
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  #lifted(value: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, this.#keyword(key, child)]));
  }

  #keyword(key: string, value: unknown): unknown {
    if (key === 'example' || key === 'examples' || key === 'enum' || key === 'const') return value;
    // Their keys are names of members, not keywords.
    const isMap = (key === 'properties' || key === 'patternProperties') && isObject(value);
    if (!isMap) return this.#lift(value);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#lift(each)]));
  }
}

/** Generators of clients take a member with a `default` for one that must be given: the description says it instead. */
export function describeDefault(schema: Record<string, unknown>): Record<string, unknown> {
  const { default: value, ...rest } = schema;
  // Every integer in JSON has that bound (RFC 8259 §6).
  if (rest['maximum'] === Number.MAX_SAFE_INTEGER) delete rest['maximum'];
  if (value === undefined) return rest;
  const words = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
  const { description } = rest;
  return { ...rest, description: typeof description === 'string' ? `${description} ${words}` : words };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
