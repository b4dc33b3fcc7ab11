import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, type Account, type Body } from './account.fixture.ts';
import { boundary, fieldsOf, file, postForm, text, whole, type Part } from './form.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  const settings = { attachment_limit_bytes: 20 * mebibyte, bandwidth_bytes_per_second: 2 ** 40 };
  account = await openAccount(service, { settings });
});
after(async () => await service.stop());

const mebibyte = 1024 * 1024;
const fields = (changes: Body = {}): Part[] => fieldsOf(account, changes);
const post = async (body: Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  await postForm(account, body, headers);

const anyBytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
const refused: [string, (parts: Part[]) => Part[], ...string[]][] = [
  [
    'broken JSON in to',
    (parts) => [...parts.filter(({ disposition }) => !/"to"/.test(disposition)), text('to', '[{')],
    '/to json_invalid',
  ],
  ['an address in place of JSON', (parts) => [...parts, text('cc', 'a@b.cl')], '/cc json_invalid'],
  ['broken JSON in reply_to', (parts) => [...parts, text('reply_to', 'a@b.cl')], '/reply_to json_invalid'],
  ['an empty part of JSON', (parts) => [...parts, text('headers', '')], '/headers json_invalid'],
  ['JSON of a wrong type', (parts) => [...parts, text('headers', '[]')], '/headers dict_type'],
  [
    'JSON with mistakes',
    (parts) => [...parts, text('cc', '[{"email":"x"},{}]')],
    '/cc/1/email missing',
    '/cc/0/email value_error.email',
  ],
  [
    'text as attachments',
    (parts) => [...parts, text('attachments', '[]')],
    '/attachments value_error.file_expected',
  ],
  [
    'text and a file as attachments',
    (parts) => [...parts, text('attachments', 'x'), file('filename="a"', 'x')],
    '/attachments value_error.file_expected',
  ],
  [
    'a file elsewhere',
    (parts) => [...parts, { ...file('', 'x'), disposition: 'form-data; name="a~b/c"; filename="a"' }],
    '/a~0b~1c value_error.file_unexpected',
  ],
  [
    'a file for html',
    (parts) => [
      ...parts.filter(({ disposition }) => !/"html"/.test(disposition)),
      { ...file('', 'x'), disposition: 'form-data; name="html"; filename="a"' },
    ],
    '/html value_error.file_unexpected',
    '/html missing',
  ],
  [
    'a file without a name',
    (parts) => [...parts, file('filename=""', 'x')],
    '/attachments/0/filename string_too_short',
  ],
  [
    'a file name of 256 characters',
    (parts) => [...parts, file(`filename="${'x'.repeat(256)}"`, 'x')],
    '/attachments/0/filename string_too_long',
  ],
  [
    'an empty file',
    (parts) => [...parts, file('filename="a"', '')],
    '/attachments/0/content string_too_short',
  ],
  [
    'a file of no type',
    (parts) => [...parts, file('filename="a"', 'x', ['Content-Type: png'])],
    '/attachments/0/type value_error.media_type',
  ],
  [
    '21 files',
    (parts) => [...parts, ...Array.from({ length: 21 }, () => file('filename="a"', 'x'))],
    '/attachments too_long',
  ],
  [
    'a template that is not a number',
    (parts) => [...parts, text('template_id', 'x')],
    '/template_id int_parsing',
    '/subject value_error.template_content',
    '/html value_error.template_content',
  ],
  [
    'a test_mode that is not a boolean',
    (parts) => [...parts, text('test_mode', 'maybe')],
    '/test_mode bool_parsing',
  ],
  ['a NUL', (parts) => [...parts, text('custom_msg_id', 'a\0b')], '/custom_msg_id string_unicode'],
  [
    'a poisoned prototype',
    (parts) => [...parts, text('cc', '[{"__proto__":{"email":"a@b.cl"}}]')],
    '/cc/0/email missing',
  ],
];
for (const [what, change, ...expected] of refused) {
  test(`a form with ${what} is refused`, async () => {
    const answer = await post(whole(change(fields())));
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer), expected);
  });
}
test('a form that is malformed or cut off is a 400, and the service lives on', async () => {
  const body = whole([...fields(), file('filename="a"', anyBytes)]);
  const inText = body.indexOf('It works');
  const malformed: [Buffer, Record<string, string>?][] = [
    [body, { 'content-type': 'multipart/form-data' }],
    [body, { 'content-type': 'multipart/form-data; boundary=' }],
    [body, { 'content-type': 'multipart/form-data; boundary=other' }],
    [Buffer.alloc(0)],
    [Buffer.from('nonsense')],
    [body.subarray(0, -1_000)],
    [body.subarray(0, -boundary.length)],
    [body.subarray(0, inText)],
    [body.subarray(0, body.indexOf('image/png'))],
    [Buffer.from(`--${boundary}--`.slice(0, -3))],
    [gzipSync(body).subarray(0, -20), { 'content-encoding': 'gzip' }],
    [Buffer.from('not gzip'), { 'content-encoding': 'gzip' }],
    [whole([...fields(), { disposition: 'form-data', content: 'x' }])],
    [whole([...fields(), { disposition: 'form-data; filename="a"', content: 'x' }])],
    [whole([...fields(), { disposition: 'attachment; name="x"', content: 'x' }])],
    [whole([...fields(), file("filename*=UTF-8''%E2%28", 'x')])],
    [whole([...fields(), file('filename*=nonsense', 'x')])],
    [Buffer.concat([Buffer.from(`--${boundary}x\r\n`), body])],
    [Buffer.from(`--${boundary}\r\n\r\nno header\r\n--${boundary}--`)],
    [whole([{ ...text('x', 'x'), headers: [`X: ${'x'.repeat(17_000)}`] }])],
    [whole(Array.from({ length: 201 }, (_, index) => text(`f${index}`, 'x')))],
  ];
  for (const [index, [bytes, headers]] of malformed.entries()) {
    const answer = await post(bytes, headers);
    assert.equal(answer.json.code, 'bad_request', `${index}: ${answer.text}`);
    assertProblem(answer, 'bad_request');
  }
  assert.equal((await post(body)).status, 200);
});
test('a file may have 10 MB, one byte more is a 413; 10 MB is also the most for all of them', async () => {
  const large = Buffer.alloc(10 * mebibyte + 1, 7);
  const attached = async (...files: Buffer[]): Promise<ApiResponse> =>
    await post(whole([...fields(), ...files.map((content) => file('filename="a"', content))]));
  assert.equal((await attached(large.subarray(1))).status, 200);
  assertProblem(await attached(large), 'request_too_large', { detail: /file/ });
  const answer = await attached(large.subarray(5 * mebibyte), large.subarray(5 * mebibyte));
  assert.deepEqual(violations(answer), ['/attachments value_error.too_large']);
});
test('a form may have 20 MB, plain and inflated; a bomb is not inflated', async () => {
  const padding = (length: number): Buffer => {
    // Which gzip cannot make a hundred times as small. Of two parts with one name the last counts.
    const noise = randomBytes(Math.ceil(length / 2)).toString('hex');
    const padded = (size: number): Buffer =>
      whole([...fields(), text('text', noise.slice(0, size)), text('text', 'x')]);
    return padded(length - padded(0).length);
  };
  const limit = 20 * mebibyte;
  const gzip = { 'content-encoding': 'gzip' };
  assert.equal((await post(padding(limit))).status, 200);
  assert.equal((await post(gzipSync(padding(limit), { level: 1 }), gzip)).status, 200);
  const inflating = gzipSync(Buffer.alloc(640 * mebibyte));
  const bomb = Buffer.concat([gzipSync(whole(fields())), ...Array.from({ length: 30 }, () => inflating)]);
  const began = process.threadCpuUsage();
  assertProblem(await post(bomb, gzip), 'request_too_large', { detail: /100 times its compressed size/ });
  assert.ok(process.threadCpuUsage(began).user < 3_000_000, 'inflated it takes longer');
  for (const answer of [
    await post(padding(limit + 1)),
    await post(gzipSync(padding(limit + 1), { level: 1 }), gzip),
    await post(gzipSync(Buffer.alloc(limit + 1), { level: 0 }), gzip),
  ]) {
    assertProblem(answer, 'request_too_large');
    assert.equal(answer.json.max_bytes, limit);
  }
});

test('a part that no member is called like is refused as it is in JSON, whatever its name', async () => {
  const parts = ['sent_at', '__proto__', 'constructor', 'to[0][email]'].map((name) => text(name, 'x'));
  const answer = await post(whole([...fields(), ...parts]));
  assertProblem(answer, 'validation_error');
  assert.deepEqual(violations(answer).toSorted(), [
    '/__proto__ extra_forbidden',
    '/constructor extra_forbidden',
    '/sent_at extra_forbidden',
    '/to[0][email] extra_forbidden',
  ]);
});
