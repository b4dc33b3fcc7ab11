/** A line of the log, which is a JSON object, for people: time, level, message, fields, and the stack of an error below. */
export function prettyLine(line: string, { colours }: { colours: boolean }): string {
  const { time, level, msg = '', err, ...fields } = JSON.parse(line) as LogLine;
  const paint = (code: number, text: string): string => (colours ? `\u001B[${code}m${text}\u001B[0m` : text);
  const name = paint(levelColours[level] ?? defaultColour, level.toUpperCase().padEnd(5));
  const pairs = Object.entries(fields).map(([key, value]) => `${paint(dim, `${key}=`)}${valueText(value)}`);
  const head = [paint(dim, clockTime(time)), name, printable(msg), ...pairs].join(' ');
  return `${[head, ...errorLines(err)].join('\n')}\n`;
}

interface LogLine {
  time: string;
  level: string;
  msg?: string;
  err?: { message?: string; stack?: string };
  [field: string]: unknown;
}

const dim = 2;
const defaultColour = 36;
const levelColours: Record<string, number> = { warn: 33, error: 31, fatal: 31, info: 32 };

/** Of the machine, to the millisecond. */
function clockTime(time: string): string {
  const at = new Date(time);
  const pad = (number: number, length = 2): string => String(number).padStart(length, '0');
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}.${pad(at.getMilliseconds(), 3)}`;
}

function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[\w.:@/+-]+$/.test(value);
  return isPlain ? value : printable(JSON.stringify(value) ?? '');
}

function errorLines(err: LogLine['err']): string[] {
  const text = err?.stack ?? err?.message ?? '';
  return text === '' ? [] : text.split('\n').map((line) => `    ${printable(line.trim())}`);
}

/** Remote servers have a say in what is logged: nothing of theirs may move the cursor or change what was written. */
function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
