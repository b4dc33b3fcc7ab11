import { useCallback, useMemo, useState } from 'react';
import type { Samples } from './sample-variables.ts';

export const recipientFields = ['recipient.name', 'recipient.email'] as const;

/** They help the editor and do not belong to the template: this browser keeps them. */
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
