import type { TSchema } from 'typebox';

/** Collects the schemas that have a `$id`, so that the document names each once and refers to it. */
export class Components {
  readonly #schemas = new Map<string, unknown>();

  refer(schema: TSchema): unknown {
    return this.#lift(schema);
  }

  schemas(): Record<string, unknown> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #lift(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#lift(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as { $id?: string } & Record<string, unknown>;
    if ($id === undefined) return this.#lifted(rest);
    if (!this.#schemas.has($id)) {
      // Reserved before it is filled: a schema may contain itself.
      this.#schemas.set($id, {});
      this.#schemas.set($id, this.#lifted(rest));
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  #lifted(value: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, this.#lift(child)]));
  }
}
