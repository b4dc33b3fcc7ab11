/** Builds a WHERE clause, one condition per given filter, and numbers its parameters. */
export class Conditions {
  readonly values: unknown[];
  readonly #parts: string[] = [];

  /** Parameters that come first in the statement. */
  constructor(values: unknown[] = []) {
    this.values = [...values];
  }

  /** `sql` has `?` for the value. Undefined and null mean no filter. */
  where(sql: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.values.push(value);
    this.#parts.push(sql.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  /** Adds a value and returns its placeholder, for a condition that has several. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** A condition without a value. */
  always(sql: string): this {
    this.#parts.push(sql);
    return this;
  }

  /**
   * Case-insensitive substring match. The database's own collation folds ASCII only, so that it does not depend on a
   * library version; ICU folds ñ and Ñ too.
   */
  contains(column: string, value: string | undefined | null): this {
    return this.where(
      `${column} collate "und-x-icu" ilike ?`,
      value === undefined || value === null ? value : `%${escapeLike(value)}%`,
    );
  }

  sql(): string {
    return this.#parts.length === 0 ? 'true' : this.#parts.join(' and ');
  }
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
