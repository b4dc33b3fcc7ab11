/** Spreadsheets evaluate cells that start like this; numbers and phone numbers start alike and are kept. */
const runs = /^[=+\-@\t\r\n＝＋－＠]/;
const harmless = /^([+-]?\d+([.,]\d+)?|\+\d[\d ().-]{4,30})$/;
/** What starts a cell of its own where a semicolon or a tab separates them, as in languages with a decimal comma. */
const runsAfterSeparator = /([;\t\r\n][\s"]*)([=+\-@＝＋－＠])/g;

/** One line of RFC 4180. Objects are JSON, times RFC 3339, null an empty cell. */
export function csvLine(values: unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const guard = runs.test(text) && !harmless.test(text) ? "'" : '';
  return `"${guard}${text.replaceAll('"', '""').replaceAll(runsAfterSeparator, "$1'$2")}"`;
}
