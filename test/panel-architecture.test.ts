import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** The floors of the panel, from the top down: what stands on one imports from its own and those below. */
const floors = ['shell', 'pages', 'parts', 'messages', 'api', 'preview'];

const src = path.resolve(import.meta.dirname, '../panel/src');
const files = globSync('**/*.{ts,tsx}', { cwd: src });
const textOf = new Map(files.map((file) => [file, readFileSync(path.join(src, file), 'utf8')]));
const resolved = (file: string, target: string): string =>
  path.relative(src, path.resolve(src, path.dirname(file), target));

interface Import {
  file: string;
  target: string;
  /** `import('…')`, which a page waits for. */
  is_lazy: boolean;
}

const imports = files.flatMap((file): Import[] =>
  [...(textOf.get(file) ?? '').matchAll(/(?:from|import(\()?)\s*'(\.[^']+)'/g)].map(
    ([, lazy, target = '']) => ({ file, target: resolved(file, target), is_lazy: lazy !== undefined }),
  ),
);
const floorOf = (file: string): number => floors.indexOf(file.split(path.sep)[0] ?? '');
const inside = imports.filter(({ target }) => !target.startsWith('..'));

test('there are files and imports to check', () => {
  assert.ok(files.length > 300, `${files.length} files`);
  assert.ok(inside.length > 1_000, `${inside.length} imports`);
  assert.ok(inside.some(({ is_lazy }) => is_lazy));
});

test('every file is on a floor, but the one that starts it all', () => {
  assert.deepEqual(
    files.filter((file) => floorOf(file) === -1),
    ['main.tsx'],
  );
});

test('imports go down, never up, types and what is loaded later included', () => {
  const upward = inside.filter(({ file, target }) => file !== 'main.tsx' && floorOf(target) < floorOf(file));
  assert.deepEqual(upward, []);
});

test('no files and no pages import each other in a circle', () => {
  const pageOf = (file: string): string => file.split(path.sep).slice(0, 2).join('/');
  const ofPages = inside
    .filter(({ file, target }) => file.startsWith('pages/') && target.startsWith('pages/'))
    .map(({ file, target }) => [pageOf(file), pageOf(target)] as const)
    .filter(([from, to]) => from !== to);
  assert.deepEqual(circleIn(ofPages), []);
  assert.deepEqual(circleIn(inside.map(({ file, target }) => [file, target] as const)), []);
});

test('the panel imports only the shared files of the service', () => {
  const outside = imports.filter(({ target }) => target.startsWith('..'));
  assert.deepEqual([...new Set(outside.map(({ target }) => target))].toSorted(), [
    '../../src/base/brand.ts',
    '../../src/base/colour-contrast.ts',
    '../../src/events/reasons.ts',
    '../../src/templates/liquid-names.ts',
  ]);
});

test('forms are made by the part that keeps a form inside of another from sending it', () => {
  const others = files.filter((file) => /<form\b/.test(textOf.get(file) ?? ''));
  assert.deepEqual(others, ['parts/form.tsx']);
});

/** What the first floor of a page says is asked for beside its code, and not once it is there. */
test('a page names all messages that its code uses', () => {
  const always = new Set(['shell', 'parts', 'pages']);
  for (const registry of ['pages/pages.ts', 'pages/account-pages.ts']) {
    const entries = [
      ...(textOf.get(registry) ?? '').matchAll(
        /says: \[([^\]]*)\],\s*load: async \(\) => await import\('([^']+)'\)/g,
      ),
    ];
    assert.ok(entries.length > 3, registry);
    for (const [, said = '', page = ''] of entries) {
      const used = new Set(
        [...reached(resolved(registry, page))].flatMap((file) =>
          [...(textOf.get(file) ?? '').matchAll(/useMessages\('(\w+)'\)/g)].map(
            ([, subject]) => subject ?? '',
          ),
        ),
      );
      const named = [...said.matchAll(/'(\w+)'/g)].map(([, subject]) => subject ?? '');
      assert.deepEqual([...used].filter((each) => !always.has(each)).toSorted(), named.toSorted(), page);
    }
  }
});

/** All that comes with a file. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || file.startsWith('messages/')) return seen;
  seen.add(file);
  for (const { target, is_lazy, file: from } of inside) if (from === file && !is_lazy) reached(target, seen);
  return seen;
}

type Edge = readonly [from: string, to: string];

/** The first circle that is found, as the names along it. */
function circleIn(edges: Edge[]): string[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const done = new Set<string>();
  const walk = (name: string, way: string[]): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return [];
    for (const [, to] of next.get(name) ?? []) {
      const circle = walk(to, [...way, name]);
      if (circle.length > 0) return circle;
    }
    done.add(name);
    return [];
  };
  for (const name of next.keys()) {
    const circle = walk(name, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
