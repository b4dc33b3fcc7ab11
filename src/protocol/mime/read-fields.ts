export interface Field {
  /** In lower case. */
  name: string;
  /** Unfolded, with single blanks. */
  value: string;
}

const maxFields = 300;
const maxValueLength = 4_000;
const form = /^([!-9;-~]{1,100})[ \t]*:/;

/**
 * The fields of a header, or of a block of fields inside a report, as others wrote them: malformed lines are passed
 * over, what is too long is cut, and what is too much is left out.
 */
export function readFields(text: string): Field[] {
  const fields: { name: string; lines: string[]; length: number }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last && last.length < maxValueLength) {
        last.lines.push(line);
        last.length += line.length;
      }
      continue;
    }
    const name = form.exec(line)?.[1];
    if (name === undefined) continue;
    if (fields.length === maxFields) break;
    fields.push({
      name: name.toLowerCase(),
      lines: [line.slice(line.indexOf(':') + 1)],
      length: line.length,
    });
  }
  return fields.map(({ name, lines }) => ({ name, value: tidy(lines.join(' ')) }));
}

export function fieldOf(fields: readonly Field[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

function tidy(text: string): string {
  return text.slice(0, maxValueLength).replaceAll(/\s+/g, ' ').trim();
}
