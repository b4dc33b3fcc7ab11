import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { test, type TestContext } from 'node:test';
import { Type } from 'typebox';
import { createBodyMemory, type BodyMemory } from '../../src/base/body-memory.ts';
import { Problem } from '../../src/base/errors/problem.ts';
import type { Caller } from '../../src/base/http/access.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertProblem } from './problems.fixture.ts';
import { exchange, openSocket, requestBytes, send, type RawAnswer } from './raw-http.fixture.ts';
import { openOperation, startTinyApp } from './tiny-app.fixture.ts';

const mebibyte = 1024 * 1024;
/** Of which seven eighths are for large bodies: 7 MiB for one instance, 14 for all. */
const limits = { total_bytes: 16 * mebibyte, share_bytes: 8 * mebibyte };
const body = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

interface Bed {
  memory: BodyMemory;
  /** Instances by number; the last has none and is an open route. */
  post(instance: number, content: string | Buffer, headers?: Record<string, string>): Promise<RawAnswer>;
  head(instance: number, headers: Record<string, string>): Buffer;
  base_url: string;
  /** Lets the handlers go on; they wait until then. */
  answer: () => void;
  /** Handlers at work. */
  working: () => number;
}

async function startBed(t: TestContext, { waits = false, fails = false } = {}): Promise<Bed> {
  const memory = createBodyMemory(limits);
  const { promise, resolve } = Promise.withResolvers<void>();
  let working = 0;
  const handle = async (): Promise<object> => {
    working += 1;
    if (waits) await promise;
    working -= 1;
    if (fails) throw new Problem('field_not_found');
    return {};
  };
  const common = {
    method: 'POST',
    body: Type.Object({ text: Type.String() }),
    max_body_bytes: 10 * mebibyte,
    multipart: { file_field: 'files', max_file_bytes: 10 * mebibyte },
  } as const;
  const app = await startTinyApp(
    [
      openOperation({ ...common, path: '/known', access: { kind: 'api_key', scope: 'field:write' } }, handle),
      openOperation({ ...common, path: '/open' }, handle),
    ],
    {
      body_memory: memory,
      authenticate: async ({ instance_slug }) =>
        ({
          instance: { id: Number(instance_slug) },
          actor: { kind: 'api_key', id: 'a', scopes: new Set(), sandbox_only: false },
        }) as unknown as Caller,
    },
  );
  t.after(async () => {
    resolve();
    await app.stop();
  });
  const request = (instance: number, headers: Record<string, string>) => ({
    method: 'POST',
    path: instance === 0 ? '/open' : '/known',
    headers: { 'x-instance-slug': String(instance), 'content-type': 'application/json', ...headers },
  });
  return {
    memory,
    base_url: app.base_url,
    post: async (instance, content, headers = {}) =>
      await send(app.base_url, { ...request(instance, headers), body: content }, { timeout_ms: 10_000 }),
    head: (instance, headers) => requestBytes(request(instance, headers)),
    answer: resolve,
    working: () => working,
  };
}

function assertRefused(
  answer: RawAnswer | undefined,
  code: 'rate_limit_exceeded' | 'service_unavailable',
): void {
  assert.ok(answer, 'there was no answer');
  assertProblem(answer, code);
  assert.match(answer.header('retry-after') ?? '', /^[1-9]$/);
}

test('beyond the share of its instance a body is a 429 before any of it is read', async (t) => {
  const bed = await startBed(t, { waits: true });
  const first = bed.post(1, body(4 * mebibyte));
  await waitFor(() => bed.working() === 1, { what: 'the first body' });
  // Only announced: were it waited for, there would be no answer.
  const head = bed.head(1, { 'content-length': String(4 * mebibyte) });
  assertRefused(await exchange(bed.base_url, head), 'rate_limit_exceeded');
  const other = bed.post(2, body(4 * mebibyte));
  await waitFor(() => bed.working() === 2, { what: "the other instance's body" });
  bed.answer();
  assert.deepEqual([(await first).status, (await other).status], [200, 200]);
  assert.equal(bed.memory.used, 0);
  assert.equal((await bed.post(1, body(4 * mebibyte))).status, 200);
});

test('beyond what the process has a body is a 503, and small bodies still have room', async (t) => {
  const bed = await startBed(t, { waits: true });
  const held = [1, 2].map((instance) => bed.post(instance, body(7 * mebibyte)));
  await waitFor(() => bed.working() === 2, { what: 'bodies of two instances' });
  assertRefused(await bed.post(3, body(mebibyte)), 'service_unavailable');
  const small = [1, 3].map((instance) => bed.post(instance, body(60_000)));
  await waitFor(() => bed.working() === 4, { what: 'small bodies of both' });
  bed.answer();
  for (const { status } of await Promise.all([...held, ...small])) assert.equal(status, 200);
  assert.deepEqual(bed.memory.refused, { share: 0, total: 1 });
  assert.equal(bed.memory.used, 0);
});

test('a body without Content-Length is counted as it flows', async (t) => {
  const bed = await startBed(t, { waits: true });
  const first = bed.post(1, body(4 * mebibyte));
  await waitFor(() => bed.working() === 1, { what: 'the first body' });
  const chunk = `10000\r\n${' '.repeat(0x1_0000)}\r\n`;
  const chunked = async (chunks: number): Promise<RawAnswer | undefined> =>
    await exchange(bed.base_url, bed.head(1, { 'transfer-encoding': 'chunked' }), {
      more: (socket) => socket.write(`${chunk.repeat(chunks)}2\r\n{}\r\n0\r\n\r\n`),
    });
  assertRefused(await chunked(49), 'rate_limit_exceeded');
  assert.equal((await chunked(40))?.status, 422);
  bed.answer();
  assert.equal((await first).status, 200);
  assert.equal(bed.memory.used, 0);
});

test('gzip is counted both as transferred and as inflated', async (t) => {
  const bed = await startBed(t, { waits: true });
  const gzip = { 'content-encoding': 'gzip' };
  const stored = (bytes: number): Buffer => gzipSync(body(bytes), { level: 0 });
  const fitting = bed.post(1, stored(3 * mebibyte), gzip);
  await waitFor(() => bed.working() === 1, { what: 'a body that fits' });
  assert.ok(bed.memory.used > 6 * mebibyte, `${bed.memory.used} bytes`);
  bed.answer();
  assert.equal((await fitting).status, 200);
  assertRefused(await bed.post(1, stored(3.6 * mebibyte), gzip), 'rate_limit_exceeded');
  // Gzip halves it, so it does not count as a bomb.
  const noise = gzipSync(JSON.stringify({ text: randomBytes(3.75 * mebibyte).toString('hex') }));
  assertRefused(await bed.post(1, noise, gzip), 'rate_limit_exceeded');
  assert.equal(bed.memory.used, 0);
});

test('a form is counted as any other body', async (t) => {
  const bed = await startBed(t, { waits: true });
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const form = (bytes: number): string =>
    `--b\r\ncontent-disposition: form-data; name="text"\r\n\r\n${'x'.repeat(bytes)}\r\n--b--\r\n`;
  const first = bed.post(1, form(4 * mebibyte), type);
  await waitFor(() => bed.working() === 1, { what: 'the first form' });
  assertRefused(await bed.post(1, form(4 * mebibyte), type), 'rate_limit_exceeded');
  bed.answer();
  assert.equal((await first).status, 200);
});

test('a connection before authentication gets a part of one share', async (t) => {
  const bed = await startBed(t, { waits: true });
  const first = bed.post(0, body(3 * mebibyte));
  await waitFor(() => bed.working() === 1, { what: 'the first body' });
  assertRefused(await bed.post(0, body(2 * mebibyte)), 'rate_limit_exceeded');
  bed.answer();
  assert.equal((await first).status, 200);
});

test('memory comes back from bodies that are refused, cut short, or fail in the handler', async (t) => {
  const bed = await startBed(t, { fails: true });
  assertProblem(await bed.post(1, body(2 * mebibyte)), 'field_not_found');
  assert.equal((await bed.post(1, 'x'.repeat(2 * mebibyte))).status, 400);
  assert.equal((await bed.post(1, ' '.repeat(11 * mebibyte))).status, 413);
  const socket = openSocket(bed.base_url);
  socket.write(bed.head(1, { 'content-length': String(5 * mebibyte) }));
  socket.write(' '.repeat(mebibyte));
  await waitFor(() => bed.memory.used === 5 * mebibyte, { what: 'a body under way' });
  socket.destroy();
  await waitFor(() => bed.memory.used === 0, { what: 'the memory of a body that was cut short' });
});

test('a body counts as long as a handler works on it, also when its client is gone', async (t) => {
  const bed = await startBed(t, { waits: true });
  const socket = openSocket(bed.base_url);
  const content = body(5 * mebibyte);
  socket.write(bed.head(1, { 'content-length': String(content.length) }));
  socket.write(content);
  await waitFor(() => bed.working() === 1, { what: 'the handler' });
  socket.destroy();
  assertRefused(await bed.post(1, body(4 * mebibyte)), 'rate_limit_exceeded');
  assert.equal(bed.memory.used, content.length);
  bed.answer();
  await waitFor(() => bed.memory.used === 0, { what: 'the end of the handler' });
});

test('all connections before authentication share one part of the budget of the process', () => {
  const memory = createBodyMemory(limits);
  const holds = Array.from({ length: 5 }, (_, index) => memory.ofSource(`192.0.${index}.1`));
  const shortages = holds.map((hold) => hold.growTo(1.75 * mebibyte));
  assert.deepEqual(shortages, [undefined, undefined, undefined, undefined, 'total']);
  assert.equal(memory.used, 7 * mebibyte);
  for (const hold of holds) hold.release();
  assert.equal(memory.used, 0);
});
