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
    if (typeof value !== 'object' || value === null) return value;
    const { $id, ...rest } = value as { $id?: string } & Record<string, unknown>;
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
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, this.#lift(child)]));
  }
}
