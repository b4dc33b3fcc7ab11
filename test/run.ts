import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestServer } from './support/test-database.ts';

/** All tests on one throw-away PostgreSQL. `npm test -- fields` runs the files whose path contains "fields". */
const root = path.resolve(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const files = ['src/**/*.test.ts', 'test/**/*.test.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
  .map((file) => path.join(root, file));

const server = await startTestServer();
process.env['CHASQUI_TEST_SERVER'] = JSON.stringify(server.connection);
// Files share most of what they import; compiled once it saves a second of each.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, 'node_modules/.cache/chasqui-test');
const counts = { passed: 0, failed: 0 };
const durations = new Map<string, number>();
try {
  // One more than processors: each file waits for the database for half of its time.
  const stream = run({ files, concurrency: availableParallelism() + 1, timeout: 300_000 });
  stream.on('test:summary', ({ file, duration_ms, counts: { tests, passed, skipped, todo } }) => {
    if (file !== undefined) durations.set(path.relative(root, file), duration_ms);
    if (file === undefined) Object.assign(counts, { passed, failed: tests - passed - skipped - todo });
  });
  for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk as string);
} finally {
  await server.stop();
}
const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 20);
process.stdout.write('slowest files:\n');
for (const [file, ms] of slowest) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`);
if (files.length === 0 || counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
