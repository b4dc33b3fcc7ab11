import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { waitFor } from '../support/wait-for.ts';
import { assertProblem, violations } from './problems.fixture.ts';
import { openSocket, requestBytes, send, type RawAnswer } from './raw-http.fixture.ts';
import { openOperation, startTinyApp, type TinyApp } from './tiny-app.fixture.ts';

const kibibyte = 1024;
const max_body_bytes = 64 * kibibyte;
const max_file_bytes = 16 * kibibyte;
const body = Type.Object({
  name: Type.String({ maxLength: 40_000 }),
  count: Type.Optional(Type.Integer()),
  to: Type.Optional(Type.Array(Type.Object({ email: Type.String() }))),
  files: Type.Optional(Type.Array(Type.String())),
});

let app: TinyApp;
let received: unknown;
before(async () => {
  const multipart = { file_field: 'files', max_file_bytes };
  const part = { method: 'POST', path: '/form', body, max_body_bytes, multipart } as const;
  app = await startTinyApp([
    openOperation(part, async (call) => {
      received = call;
      return {};
    }),
  ]);
});
after(async () => await app.stop());

const headers = { 'content-type': 'multipart/form-data; boundary="b"' };
const text = (name: string, value: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, filename = 'a.txt'): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: text/plain\r\n\r\n${content}\r\n`;

async function post(form: string | Buffer, more: Record<string, string> = {}): Promise<RawAnswer> {
  return await send(app.base_url, {
    method: 'POST',
    path: '/form',
    headers: { ...headers, ...more },
    body: form,
  });
}

test('a form stands for the JSON it spells out, with its files beside', async () => {
  const form = `${text('name', 'Ñandú')}${text('count', '7')}${text('to', '[{"email":"a@b.c"}]')}${file('files', 'one', 'ñ.txt')}--b--`;
  for (const answer of [await post(form), await post(gzipSync(form), { 'content-encoding': 'gzip' })]) {
    assert.equal(answer.status, 200, answer.body);
    const { body: given, files } = received as {
      body: unknown;
      files: { filename: string; content: Buffer }[];
    };
    assert.deepEqual(given, { name: 'Ñandú', count: 7, to: [{ email: 'a@b.c' }] });
    assert.deepEqual(
      files.map(({ filename, content }) => [filename, content.toString()]),
      [['ñ.txt', 'one']],
    );
  }
});

test('every mistake of a form is told at once', async () => {
  const form = `${text('count', 'x')}${text('to', '[')}${text('files', 'x')}${file('other', 'x')}--b--`;
  const answer = await post(form);
  assertProblem(answer, 'validation_error');
  assert.deepEqual(violations(answer).sort(), [
    '/count int_parsing',
    '/files value_error.file_expected',
    '/name missing',
    '/other value_error.file_unexpected',
    '/to json_invalid',
  ]);
});

test('text that no database holds is refused in forms as well', async () => {
  const answer = await post(`${text('name', 'a\0b')}${text('to', '[{"email":"\\ud800"}]')}--b--`);
  assert.deepEqual(violations(answer).sort(), ['/name string_unicode', '/to/0/email string_unicode']);
});

test('a file at its limit is taken, one byte more is a 413', async () => {
  const fitting = `${text('name', 'x')}${file('files', 'x'.repeat(max_file_bytes))}--b--`;
  assert.equal((await post(fitting)).status, 200);
  assertProblem(
    await post(`${text('name', 'x')}${file('files', 'x'.repeat(max_file_bytes + 1))}--b--`),
    'request_too_large',
  );
});

test('a form over the limit of the route is a 413, announced, chunked or inflated', async () => {
  const form = `${text('name', 'x')}${file('files', 'x'.repeat(16_000)).repeat(5)}--b--`;
  const chunked = `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;
  for (const answer of [
    await post(form),
    await post(chunked, { 'transfer-encoding': 'chunked' }),
    await post(gzipSync(form), { 'content-encoding': 'gzip' }),
  ]) {
    assertProblem(answer, 'request_too_large');
    assert.equal(answer.json.max_bytes, max_body_bytes);
  }
});

test('a bomb of a form is inflated no further than its limit', async () => {
  const member = gzipSync(Buffer.alloc(8 * kibibyte * kibibyte, 'x'));
  const bomb = Buffer.concat([gzipSync(text('name', 'x')), member, member, member, member]);
  const beforeBytes = process.memoryUsage().rss;
  const answer = await post(bomb, { 'content-encoding': 'gzip' });
  assertProblem(answer, 'request_too_large');
  assert.ok(process.memoryUsage().rss - beforeBytes < 16 * kibibyte * kibibyte);
});

test('a malformed form is a 400', async () => {
  const fine = text('name', 'x');
  for (const [form, type] of [
    ['nonsense', 'multipart/form-data; boundary=b'],
    [fine, 'multipart/form-data; boundary=b'],
    [`${fine}--b--`, 'multipart/form-data'],
    [`${fine}--b--`, 'multipart/form-data; boundary='],
    [`${text('name', 'x').repeat(201)}--b--`, 'multipart/form-data; boundary=b'],
  ] as const) {
    assertProblem(await post(form, { 'content-type': type }), 'bad_request');
  }
});

test('a client that goes away in the middle of a form does not raise an alarm', async () => {
  const seen = app.logged.length;
  const socket = openSocket(app.base_url);
  const announced = { ...headers, 'content-length': '1000', expect: '100-continue' };
  socket.write(requestBytes({ method: 'POST', path: '/form', headers: announced }));
  await once(socket, 'data');
  socket.write(text('name', 'x'), () => socket.destroy());
  const line = await waitFor(() => app.logged[seen]);
  const { level, status } = JSON.parse(line);
  assert.deepEqual([level, status], ['info', 499]);
});
