import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pages = [
  '*.md',
  'docs/**/*.md',
  'clients/*/README.md',
  'migrations/*.md',
  '.github/**/*.md',
  'test/faults/*.md',
  'bench/*.md',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted();
const contract = read('docs/contract.md');

/** As GitHub makes them from headings. */
function anchorsOf(page: string): Set<string> {
  return new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every link between pages leads to a file and a heading', () => {
  const links = pages.flatMap((page) =>
    [
      ...read(page)
        .replaceAll(/`[^`\n]*`/g, '')
        .matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
    ].map(([, target = '']) => ({
      page,
      target,
    })),
  );
  assert.ok(links.length > 50, `${links.length} links`);
  const broken = links.filter(({ page, target }) => {
    const [file = '', anchor] = target.split('#');
    const goal = file === '' ? page : path.join(path.dirname(page), file);
    return !existsSync(path.join(root, goal)) || (anchor !== undefined && !anchorsOf(read(goal)).has(anchor));
  });
  assert.deepEqual(broken, []);
});

test('the index lists every guide', () => {
  const index = read('docs/README.md');
  const guides = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  assert.deepEqual(
    guides.filter((guide) => !index.includes(`(${path.basename(guide)})`)),
    [],
  );
});

test('comments cite sections that the contract has, and no document outside the repository', () => {
  const sources = ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'migrations/*.sql'].flatMap((pattern) =>
    globSync(pattern, { cwd: root }),
  );
  const sections = new Set([...contract.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number));
  const cited = sources.flatMap((file) =>
    [...read(file).matchAll(/\b(contract|spec) §(\d+)/gi)].map(([, document, section]) => ({
      file,
      document: document?.toLowerCase(),
      section,
    })),
  );
  assert.ok(cited.length > 30, `${cited.length} citations`);
  assert.deepEqual(
    cited.filter(({ document, section }) => document !== 'contract' || !sections.has(section)),
    [],
  );
});

test('a promise of the contract is found by one word in its section, its code and its test', () => {
  const rows = [
    ...contract.matchAll(/^\| (\d+) \| [^|]+ \| `([^`]+)` \| `([^`]+)` \| `([^`]+\.test\.ts)` \|$/gm),
  ];
  assert.ok(rows.length >= 12, `${rows.length} promises`);
  for (const [, section = '', word = '', code = '', held = ''] of rows) {
    const text = contract.split(new RegExp(String.raw`^## ${section}\. `, 'm'))[1]?.split(/^## /m)[0] ?? '';
    assert.ok(text.includes(word), `§${section} says ${word}`);
    for (const file of [code, held]) assert.ok(read(file).includes(word), `${file} has ${word}`);
  }
});

test('every room has its paragraph, and every file that a page names exists', () => {
  const architecture = read('ARCHITECTURE.md');
  const rooms = readdirSync(path.join(root, 'src'));
  assert.deepEqual(
    rooms.filter((room) => !architecture.includes(`| \`${room}/\` |`)),
    [],
  );
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...read(page).matchAll(/`((?:[a-z][\w-]*\/)+[\w*.-]+\.ts)`/g)].map(([, file = '']) => ({
        page,
        file,
      })),
    );
  assert.ok(named.length > 100, `${named.length} files`);
  assert.deepEqual(
    named.filter(({ file }) =>
      ['', 'src', 'src/base'].every((base) => globSync(file, { cwd: path.join(root, base) }).length === 0),
    ),
    [],
  );
});
