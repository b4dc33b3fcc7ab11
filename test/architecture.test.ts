import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** The floors, from the top down. A room imports from rooms below it and from itself, never up or sideways. */
const floors = [
  'main',
  'mcp',
  'forms',
  'accept',
  'deliver',
  'sandbox',
  'receive',
  'track',
  'webhooks',
  'activity',
  'events',
  'queue',
  'mails',
  'restrictions',
  'consent',
  'templates',
  'inbound',
  'domains',
  'sources',
  'accounts',
  'credentials',
  'limits',
  'instances',
  'exports',
  'audit',
  'base',
  'protocol',
];

const src = path.resolve(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/\.(test|fixture)\.ts$/.test(file));
const imports = files.flatMap((file) => {
  const text = readFileSync(path.join(src, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
    file,
    target: path.relative(src, path.resolve(src, path.dirname(file), target)),
  }));
});

test('there is something to judge', () => {
  assert.ok(files.length > 30, `${files.length} files`);
  assert.ok(imports.length > 100, `${imports.length} imports`);
});

test('every room is on a floor', () => {
  const rooms = new Set(files.map((file) => file.split(path.sep)[0] ?? ''));
  assert.deepEqual(
    [...rooms].filter((room) => !floors.includes(room)),
    [],
  );
});

test('imports go down, never up or sideways', () => {
  const floorOf = (file: string): number => floors.indexOf(file.split(path.sep)[0] ?? '');
  const upward = imports.filter(({ file, target }) => floorOf(target) < floorOf(file));
  assert.deepEqual(upward, []);
});

test('production code imports nothing from tests, benches or the panel', () => {
  assert.deepEqual(
    imports.filter(({ target }) => target.startsWith('..')),
    [],
  );
});

test('the environment is read in main alone', () => {
  const readers = files.filter((file) => /process\.env/.test(readFileSync(path.join(src, file), 'utf8')));
  assert.deepEqual(
    readers.filter((file) => !file.startsWith('main')),
    [],
  );
});

test('protocol stands on nothing of ours but itself', () => {
  const leaning = imports.filter(
    ({ file, target }) => file.startsWith('protocol') && !target.startsWith('protocol'),
  );
  assert.deepEqual(leaning, []);
});
