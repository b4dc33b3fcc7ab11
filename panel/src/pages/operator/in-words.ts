type Sentences = Readonly<Record<string, string>>;

/**
 * A sentence of the service in the language of the reader: `{}` in what is said stands for a value. One that is not known
 * stays as it came, from a node of another version for example.
 */
export function inWords(text: string, said: Sentences): string {
  const parts = text.split('; ').map((part) => find(part, said));
  return parts.every((part) => part !== undefined) ? parts.join('; ') : (find(text, said) ?? text);
}

/** By the sentence with the most fixed text: another may fit by taking words for a value. */
function find(text: string, said: Sentences): string | undefined {
  const fitting = Object.entries(said).flatMap(([sentence, translation]) => {
    const values = valuesOf(text, sentence.split('{}'));
    return values ? [{ fixed: sentence.length, shown: fill(translation, values) }] : [];
  });
  return fitting.toSorted((one, other) => other.fixed - one.fixed)[0]?.shown;
}

/** What stands between the fixed parts; undefined where one of them is missing. */
function valuesOf(text: string, parts: string[]): string[] | undefined {
  const [start = '', ...rest] = parts;
  if (rest.length === 0) return text === start ? [] : undefined;
  if (!text.startsWith(start)) return undefined;
  const values: string[] = [];
  let from = start.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const at = isLast && text.endsWith(part) ? text.length - part.length : text.indexOf(part, from + 1);
    if (at <= from || (isLast && at + part.length !== text.length)) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  return values;
}

function fill(translation: string, values: string[]): string {
  const [start = '', ...rest] = translation.split('{}');
  return start + rest.map((part, index) => `${values[index] ?? ''}${part}`).join('');
}
