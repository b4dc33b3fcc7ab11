const space = /[\s]*/y;
const quoted = /'([^']*)'|"([^"]*)"/y;
const key = /(?:'(\w+)'|"(\w+)")\s*=>|(\w+):/y;

/**
 * A literal of PHP or Ruby as JSON has it: `['to' => [['email' => $x]]]`, `{ to: [{ email: x }] }`. What stands for a
 * value that a program computes becomes a sample.
 */
export function readLiteral(text: string, sample: (name: string) => string): unknown {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match;
  };
  const value = (name: string): unknown => {
    take(space);
    if ('[{'.includes(text[at] ?? 'end')) return members(name);
    const string = take(quoted);
    return string ? (string[1] ?? string[2]) : expression(name);
  };
  /** Up to the comma or bracket that is not its own. */
  const expression = (name: string): string => {
    for (let depth = 0; at < text.length; at += 1) {
      const sign = text[at] ?? '';
      if (depth === 0 && ',]})'.includes(sign)) break;
      if ('([{'.includes(sign)) depth += 1;
      if (')]}'.includes(sign)) depth -= 1;
    }
    return sample(name);
  };
  const members = (name: string): unknown => {
    at += 1;
    const entries: [string | undefined, unknown][] = [];
    for (;;) {
      take(space);
      if (']}'.includes(text[at] ?? ']')) break;
      const named = take(key);
      const own = named?.[1] ?? named?.[2] ?? named?.[3];
      entries.push([own, value(own ?? name)]);
      take(space);
      if (text[at] === ',') at += 1;
    }
    at += 1;
    const isList = entries.every(([own]) => own === undefined);
    return isList
      ? entries.map(([, each]) => each)
      : Object.fromEntries(entries.map(([own, each]) => [String(own), each]));
  };
  return value('');
}
