import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { keptKeys } from './support/prepared-keys.ts';
import { startTestServer } from './support/test-database.ts';
import { testFiles, testProcesses } from './support/test-files.ts';

/**
 * Tests on one throw-away PostgreSQL. `npm test` runs the fast ones, `npm run test:slow` the others, and
 * `npm test -- fields` the files whose path contains "fields".
 */
const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { slow: { type: 'boolean' } } });
const tier = values.slow === true ? 'slow' : 'fast';
const files = testFiles(root, { tier, words: positionals });
const groups = mkdtempSync(path.join(tmpdir(), 'chq-tests-'));

/** The file that each process runs. Files that share one are imported one after another. */
function entryOf(list: readonly string[], at: number): string {
  if (list.length === 1) return path.join(root, list[0] ?? '');
  const entry = path.join(groups, `${String(at)}.test.mjs`);
  const lines = list.map((file) => {
    const imported = pathToFileURL(path.join(root, file)).href;
    return `describe(${JSON.stringify(file)}, async () => void (await import(${JSON.stringify(imported)})));\n`;
  });
  writeFileSync(entry, `import { describe } from 'node:test';\n${lines.join('')}`);
  return entry;
}

const server = await startTestServer();
process.env['CHASQUI_TEST_SERVER'] = JSON.stringify(server.connection);
process.env['CHASQUI_TEST_CLUSTER'] = server.cluster;
// Files share most of what they import; compiled once it saves a second of each.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, 'node_modules/.cache/chasqui-test');
process.env['CHASQUI_TEST_KEYS'] = await keptKeys();
if (tier === 'slow') process.env['FUZZ_SHARE'] ??= '0.4';
const preloaded = ['prepared-keys.ts', 'finished-files.ts'].flatMap((name) => [
  '--import',
  new URL(`support/${name}`, import.meta.url).href,
]);
const counts = { passed: 0, failed: 0 };
const durations = new Map<string, number>();
try {
  // One more than processors: each file waits for the database for half of its time. Two more took as long in all.
  const stream = run({
    files: testProcesses(files).map(entryOf),
    concurrency: availableParallelism() + 1,
    timeout: 600_000,
    execArgv: preloaded,
  });
  stream.on('test:complete', ({ name, nesting, details: { duration_ms } }) => {
    if (nesting === 0 && files.includes(name)) durations.set(name, duration_ms);
  });
  stream.on('test:summary', ({ file, duration_ms, counts: { tests, passed, skipped, todo } }) => {
    if (file?.endsWith('.ts')) durations.set(path.relative(root, file), duration_ms);
    if (file === undefined) Object.assign(counts, { passed, failed: tests - passed - skipped - todo });
  });
  for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk as string);
} finally {
  await server.stop();
  rmSync(groups, { recursive: true, force: true });
}
const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 20);
process.stdout.write('slowest files:\n');
for (const [file, ms] of slowest) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`);
if (files.length === 0 || counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
