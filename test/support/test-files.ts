import { globSync } from 'node:fs';

export type Tier = 'fast' | 'slow';

/** Crash rounds, hostile load and the walks through a browser. What stands here takes most of the time of all tests. */
const slow = [
  'test/faults/',
  'test/hostile/',
  'test/browser/',
  'test/clients/readme.test.ts',
  'test/switching/',
];

/** These count the memory, the sockets or the processor time of their process. */
const ownProcess = ['test/faults/', 'test/hostile/', 'test/acceptance/body-memory.test.ts'];

const isOneOf = (file: string, list: readonly string[]): boolean =>
  list.some((start) => file.startsWith(start));

/** In both tiers: they take a random sample, a small one in the fast tier. */
const sampled = ['test/acceptance/fuzz.test.ts'];

const isIn = (file: string, tier: Tier): boolean =>
  isOneOf(file, sampled) || isOneOf(file, slow) === (tier === 'slow');

/** The files of a tier, or those of any tier whose path contains a word. Those of test/ take the longest, so they begin. */
export function testFiles(root: string, { tier, words }: { tier: Tier; words: readonly string[] }): string[] {
  return ['test/**/*.test.ts', 'panel/test/*.test.ts', 'src/**/*.test.ts'].flatMap((pattern) =>
    globSync(pattern, { cwd: root })
      .filter((file) => (words.length === 0 ? isIn(file, tier) : words.some((word) => file.includes(word))))
      .sort(),
  );
}

/** How many files share a process: to import the service and start it once takes 1.5 s of a processor. */
const shared = { 'test/acceptance/': 6, 'test/browser/': 4, 'panel/test/': 20, 'src/': 10 } as const;

/** One list for each process. */
export function testProcesses(files: readonly string[]): string[][] {
  const lists: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const [start, most] = Object.entries(shared).find(([each]) => file.startsWith(each)) ?? ['', 1];
    const list = isOneOf(file, ownProcess) ? undefined : open.get(start);
    if (list !== undefined && list.length < most) {
      list.push(file);
      continue;
    }
    const next = [file];
    lists.push(next);
    if (!isOneOf(file, ownProcess)) open.set(start, next);
  }
  return lists;
}
