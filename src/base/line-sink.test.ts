import assert from 'node:assert/strict';
import { spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { openLineSink } from './line-sink.ts';

const moduleUrl = new URL('line-sink.ts', import.meta.url).href;

function argumentsOf(program: string): string[] {
  const source = `import { openLineSink } from '${moduleUrl}';\nconst sink = openLineSink(2);\n${program}`;
  return ['--input-type=module', '-e', source];
}

/** Runs a program whose standard error is this file, and gives its exit code. */
function run(program: string, file: string): number | null {
  const fd = openSync(file, 'a');
  try {
    const options: SpawnSyncOptions = { stdio: ['ignore', 'ignore', fd], timeout: 30_000 };
    return spawnSync(process.execPath, argumentsOf(program), options).status;
  } finally {
    closeSync(fd);
  }
}

test('lines are written whole, in their order, also those of the last moment before an exit', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-lines-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'log');
  const fd = openSync(file, 'a');
  t.after(() => closeSync(fd));
  const sink = openLineSink(fd);
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} ñ\n`);
  for (const line of lines) sink.write(line);
  await waitFor(() => readFileSync(file, 'utf8') === lines.join(''), { what: 'all lines' });
  const exiting = path.join(folder, 'exiting');
  const program =
    "setTimeout(() => { for (let i = 0; i < 3; i++) sink.write(i + '\\n'); process.exit(7); });";
  assert.equal(run(program, exiting), 7);
  assert.equal(readFileSync(exiting, 'utf8').split('\n').sort().join(''), '012');
});

test('a full disk loses lines, and neither ends the process nor keeps it from its end', () => {
  const program =
    "for (let i = 0; i < 100; i++) { sink.write('lost\\n'); await new Promise(setImmediate); }\n" +
    "setTimeout(() => { sink.write('last\\n'); sink.write('words\\n'); process.exit(7); }, 50);";
  assert.equal(run(program, '/dev/full'), 7);
});

test('lines for a reader that stands still are lost beyond a limit', async (t) => {
  const program = `
    const line = 'x'.repeat(1024 * 1024) + '\\n';
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 200; i++) { sink.write(line); await new Promise((go) => setTimeout(go, 1)); }
    console.log((process.memoryUsage().rss - before) / 1024 / 1024);`;
  const child = spawn(process.execPath, argumentsOf(program), { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const [megabytes] = (await once(child.stdout, 'data')) as [Buffer];
  assert.ok(Number(megabytes) < 100, `${megabytes.toString().trim()} MB`);
});
