/**
 * Who is written to. `later`: their server puts off the first attempt of each mail. `gone`: it refuses them permanently.
 * `erasable`: they may ask to be erased.
 */
export interface Person {
  name: string;
  address: string;
  kind: PersonKind;
}
export type PersonKind = 'usual' | 'later' | 'gone' | 'erasable';

const counts: Record<PersonKind, number> = { usual: 14, later: 8, gone: 2, erasable: 5 };
/** Of the domains that the bed has servers for. */
const destinations = 8;

export function planPeople(): Person[] {
  const kinds = Object.entries(counts) as [PersonKind, number][];
  return kinds.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index): Person => {
      const name = `${kind}${index}`;
      return { name, address: `${name}@r${index % destinations}.test`, kind };
    }),
  );
}
