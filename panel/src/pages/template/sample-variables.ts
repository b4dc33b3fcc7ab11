/** What people type for each variable, by its name as in the text: `order.items`. */
export type Samples = Record<string, string>;

/** The `template_variables` that the samples are; of the names given alone, where some are. */
export function variablesOf(
  samples: Samples,
  names: string[] = Object.keys(samples),
): Record<string, unknown> {
  const variables = Object.create(null) as Record<string, unknown>;
  for (const name of names.toSorted()) {
    const sample = samples[name];
    if (sample !== undefined && !name.startsWith('recipient.')) put(variables, pathOf(name), valueOf(sample));
  }
  return variables;
}

/** JSON where it looks like it, else text. */
function valueOf(sample: string): unknown {
  const text = sample.trim();
  if (!/^(?:[[{]|(?:true|false|null|-?\d{1,15}(?:\.\d{1,15})?)$)/.test(text)) return sample;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return sample;
  }
}

/** `order.items[0]["first name"]` as its parts; the service writes them so. */
function pathOf(name: string): (string | number)[] {
  return Array.from(
    name.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|[^.[\]]+/g),
    ([plain, index, quoted]) => {
      if (index !== undefined) return Number(index);
      return quoted === undefined ? plain : (JSON.parse(quoted) as string);
    },
  );
}

type Holder = Record<string | number, unknown>;

function put(variables: Holder, path: (string | number)[], value: unknown): void {
  let holder = variables;
  for (const [place, part] of path.entries()) {
    if (place === path.length - 1) {
      holder[part] = value;
      return;
    }
    // A name such as `constructor` is only a name.
    const below = Object.hasOwn(holder, part) ? holder[part] : undefined;
    if (typeof below !== 'object' || below === null)
      holder[part] = typeof path[place + 1] === 'number' ? [] : Object.create(null);
    holder = holder[part] as Holder;
  }
}
