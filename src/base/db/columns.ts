type Cell = string | number | boolean | null;
type Keys<Row> = { [Key in keyof Row]: Row[Key] extends Cell ? Key : never }[keyof Row];

/** One array per property, as `unnest` takes rows. */
export function columnsOf<Row>(rows: Row[], keys: readonly Keys<Row>[]): string[] {
  return keys.map((key) => arrayLiteral(rows.map((row) => row[key] as Cell)));
}

/**
 * A PostgreSQL array literal. The driver's own takes a tenth of the processor time of a send: it converts every element to
 * a string and escapes it with two passes.
 */
export function arrayLiteral(values: readonly Cell[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value !== 'string') text += value;
    else text += special.test(value) ? `"${value.replaceAll(specialAll, String.raw`\$&`)}"` : `"${value}"`;
  }
  return `${text}}`;
}

const special = /["\\]/;
const specialAll = /["\\]/g;
