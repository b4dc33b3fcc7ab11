import { useCallback, useMemo, useState } from 'react';

/** What people type for each variable, by its name as in the text: `order.items`. */
export type Samples = Record<string, string>;

export const recipient_fields = ['recipient.name', 'recipient.email'] as const;

/** They help whoever edits and are no part of the template: this browser keeps them. */
export function useSamples(slug: string, id: number): [Samples, (name: string, value: string) => void] {
  const key = `chasqui-samples ${slug} ${id}`;
  const [samples, set] = useState(() => read(key));
  const change = useCallback(
    (name: string, value: string) =>
      set((before) => {
        const { [name]: _gone, ...rest } = before;
        const after = value === '' ? rest : { ...rest, [name]: value };
        write(key, after);
        return after;
      }),
    [key],
  );
  return useMemo(() => [samples, change], [samples, change]);
}

function read(key: string): Samples {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Samples;
  } catch {
    return {};
  }
}

/** A full storage keeps them for this visit only. */
function write(key: string, samples: Samples): void {
  try {
    localStorage.setItem(key, JSON.stringify(samples));
  } catch {
    // Nothing depends on it.
  }
}

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
export function valueOf(sample: string): unknown {
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
    // A name such as `constructor` is no more than a name.
    const below = Object.hasOwn(holder, part) ? holder[part] : undefined;
    if (typeof below !== 'object' || below === null)
      holder[part] = typeof path[place + 1] === 'number' ? [] : Object.create(null);
    holder = holder[part] as Holder;
  }
}
