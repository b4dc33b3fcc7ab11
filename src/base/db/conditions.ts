/** Gathers the conditions of a list, one per filter that was given, and numbers their values. */
export class Conditions {
  readonly values: unknown[];
  readonly #parts: string[] = [];

  /** Values that the statement has already, under the first numbers. */
  constructor(values: unknown[] = []) {
    this.values = [...values];
  }

  /** `sql` writes its value as `?`. An undefined or null value is no filter. */
  where(sql: string, value: unknown): this {
    if (value === undefined || value === null) return this;
    this.values.push(value);
    this.#parts.push(sql.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  /**
   * The value appears anywhere in the column, in either case; `%` and `_` mean themselves. The database sorts by bytes
   * and folds the case of ASCII alone, so that it never depends on a library's version; here people expect ñ to be Ñ.
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
