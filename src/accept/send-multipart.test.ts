import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, storedMails, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  const settings = { attachment_limit_bytes: 20 * mebibyte, bandwidth_bytes_per_second: 2 ** 40 };
  account = await openAccount(service, { settings });
});
after(async () => await service.stop());

const mebibyte = 1024 * 1024;
const boundary = '----x0123456789';
const type = `multipart/form-data; boundary=${boundary}`;

interface Part {
  disposition: string;
  headers?: string[];
  content: string | Buffer;
}

const text = (name: string, content: string): Part => ({ disposition: `form-data; name="${name}"`, content });
const file = (filename: string, content: string | Buffer, headers = ['Content-Type: image/png']): Part => ({
  disposition: `form-data; name="attachments"; ${filename}`,
  headers,
  content,
});
const whole = (parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ disposition, headers = [], content }) => [
      Buffer.from([`--${boundary}`, `Content-Disposition: ${disposition}`, ...headers, '', ''].join('\r\n')),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
/** A valid mail as the text parts of a form. */
const fields = (changes: Body = {}): Part[] =>
  Object.entries(account.mail(changes))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => text(name, typeof value === 'string' ? value : JSON.stringify(value)));

async function post(body: Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': type, ...headers },
    body: new Uint8Array(body),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, json: JSON.parse(answer) };
}

async function filesOf(answer: ApiResponse): Promise<{ type: string; filename: string; content: Buffer }[]> {
  assert.equal(answer.status, 200, answer.text);
  return await service.db.query(
    'select type, filename, content from message_attachments where msg_id = $1 order by position',
    [answer.json.message_id],
  );
}

test('every field has its place in a form, arrays and objects as JSON', async () => {
  const answer = await post(
    whole(
      fields({
        to: [{ email: 'a@sandbox.test', name: 'Ñandú' }],
        cc: [{ email: 'b@sandbox.test' }],
        bcc: [{ email: 'c@sandbox.test' }],
        text: 'plain\r\ntext',
        headers: { 'X-A': 'ü' },
        reply_to: { email: 'd@example.com', name: 'Eva' },
        category: 'Ñ',
        test_mode: true,
        custom_msg_id: '1001',
        custom_group_code: 'null',
      }),
    ),
  );
  assert.equal(answer.status, 200, answer.text);
  const [row] = await service.db.query(
    `select g.envelope, convert_from(g.text, 'UTF8') as text, g.test_mode, m.custom_msg_id, m.custom_group_code, c.slug
     from messages g join mails m using (msg_id) join categories c on c.id = g.category_id
     where g.msg_id = $1 and m.recipient_kind = 'bcc'`,
    [answer.json.message_id],
  );
  assert.deepEqual(row, {
    envelope: {
      from: { address: `test@${account.instance.slug}.sandbox.test`, name: 'Sandbox' },
      to: [{ address: 'a@sandbox.test', name: 'Ñandú' }],
      cc: [{ address: 'b@sandbox.test' }],
      reply_to: { address: 'd@example.com', name: 'Eva' },
      subject: 'Hello',
      headers: [['X-A', 'ü']],
    },
    text: 'plain\r\ntext',
    test_mode: true,
    custom_msg_id: '1001',
    custom_group_code: 'null',
    slug: 'n',
  });
});

const anyBytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
const tricky = Buffer.from(`x--${boundary}\r\n--${boundary.slice(0, -1)}\n--${boundary}--\r\n\r\n--`);
const orders: [string, () => Part[]][] = [
  ['after the fields', () => [...fields(), file('filename="a.bin"', anyBytes)]],
  ['before the fields', () => [file('filename="a.bin"', anyBytes), ...fields()]],
  [
    'among the fields',
    () =>
      fields().flatMap((part, index) => (index === 1 ? [file('filename="a.bin"', anyBytes), part] : [part])),
  ],
];
for (const [where, parts] of orders) {
  test(`files ${where} are stored byte for byte`, async () => {
    const [stored, ...more] = await filesOf(await post(whole(parts())));
    assert.deepEqual([stored?.type, stored?.filename, more.length], ['image/png', 'a.bin', 0]);
    assert.ok(stored?.content.equals(anyBytes));
  });
}

test('a file that looks like the form around it stays a file, and several keep their order', async () => {
  const contents = [tricky, Buffer.from('--'), Buffer.from('\r\n'), anyBytes];
  const parts = contents.map((content, index) => file(`filename="${index}"`, content));
  const stored = await filesOf(await post(whole([...fields(), ...parts])));
  assert.deepEqual(
    stored.map(({ filename }) => filename),
    ['0', '1', '2', '3'],
  );
  for (const [index, { content }] of stored.entries())
    assert.ok(content.equals(contents[index] as Buffer), `${index}`);
});

const names: [string, string][] = [
  ['filename="señal ñ.png"', 'señal ñ.png'],
  ['filename=bare.png', 'bare.png'],
  [String.raw`filename="a \"quoted\" name.png"`, 'a "quoted" name.png'],
  ['filename="semi;colon.png"', 'semi;colon.png'],
  ["filename*=UTF-8''se%C3%B1al%20%E2%82%AC.png", 'señal €.png'],
  ['filename="senal.png"; filename*=UTF-8\'\'se%C3%B1al.png', 'señal.png'],
  ['filename="/etc/passwd"', 'passwd'],
  [String.raw`filename="C:\\fakepath\\a.png"`, 'a.png'],
  ['filename="日本語.png"', '日本語.png'],
];
for (const [parameter, expected] of names) {
  test(`a file with ${parameter} is ${expected}`, async () => {
    const [stored] = await filesOf(await post(whole([...fields(), file(parameter, 'x')])));
    assert.equal(stored?.filename, expected);
  });
}

test('the type of a file is that of its part, without parameters', async () => {
  for (const [headers, expected] of [
    [['Content-Type: text/plain; charset=iso-8859-1'], 'text/plain'],
    [['content-type: Application/PDF'], 'application/pdf'],
    [[], 'text/plain'],
    [
      ['Content-Type: application/octet-stream', 'Content-Transfer-Encoding: binary'],
      'application/octet-stream',
    ],
  ] as const) {
    const [stored] = await filesOf(await post(whole([...fields(), file('filename="a"', 'x', [...headers])])));
    assert.equal(stored?.type, expected);
  }
});

test('a form with gzip, a preamble, an epilogue or a quoted boundary is the same form', async () => {
  const body = whole([...fields(), file('filename="a"', 'x')]);
  const gzip = { 'content-encoding': 'gzip' };
  for (const [bytes, headers] of [
    [gzipSync(body), gzip],
    [Buffer.concat([Buffer.from('preamble\r\n'), body]), {}],
    [Buffer.concat([body, Buffer.from('\r\nepilogue')]), {}],
    [body, { 'content-type': `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"` }],
  ] as const) {
    const [stored] = await filesOf(await post(bytes, headers));
    assert.equal(stored?.content.toString(), 'x');
  }
});

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
    'a template that is no number',
    (parts) => [...parts, text('template_id', 'x')],
    '/template_id int_parsing',
    '/subject value_error.template_content',
    '/html value_error.template_content',
  ],
  [
    'a test_mode that is no boolean',
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

test('a form that arrives in pieces, without its length, is the same form', async () => {
  const body = whole([...fields(), file('filename="a"', anyBytes)]);
  const pieces = Array.from(
    { length: Math.ceil(body.length / 997) },
    (_, index) => new Uint8Array(body.subarray(index * 997, (index + 1) * 997)),
  );
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': type },
    body: ReadableStream.from(pieces),
    duplex: 'half',
  });
  assert.equal(response.status, 200, await response.text());
});

test('text in other character sets is read, and what is not text in its set is a 400', async () => {
  const latin: Part = {
    disposition: 'form-data; name="custom_msg_id"',
    headers: ['Content-Type: text/plain; charset=ISO-8859-1'],
    content: Buffer.from('ñandú', 'latin1'),
  };
  const { json } = await post(whole([...fields(), latin]));
  const [row] = await service.db.query('select custom_msg_id from mails where msg_id = $1', [
    json.message_id,
  ]);
  assert.deepEqual(row, { custom_msg_id: 'ñandú' });
  assertProblem(await post(whole([...fields(), { ...latin, headers: [] }])), 'bad_request', {
    detail: /utf-8/,
  });
  const unknown = { ...latin, headers: ['Content-Type: text/plain; charset=klingon'] };
  assertProblem(await post(whole([...fields(), unknown])), 'bad_request', { detail: /klingon/ });
});

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
  const [stored] = await filesOf(await attached(large.subarray(1)));
  assert.ok(stored?.content.equals(large.subarray(1)));
  assertProblem(await attached(large), 'request_too_large', { detail: /file/ });
  const answer = await attached(large.subarray(5 * mebibyte), large.subarray(5 * mebibyte));
  assert.deepEqual(violations(answer), ['/attachments value_error.too_large']);
});

test('a form may have 20 MB, plain and inflated; a bomb is not inflated', async () => {
  const padding = (length: number): Buffer => {
    const empty = whole([...fields(), text('other', '')]);
    return whole([...fields(), text('other', 'x'.repeat(length - empty.length))]);
  };
  const limit = 20 * mebibyte;
  const gzip = { 'content-encoding': 'gzip' };
  assert.equal((await post(padding(limit))).status, 200);
  assert.equal((await post(gzipSync(padding(limit)), gzip)).status, 200);
  const inflating = gzipSync(Buffer.alloc(640 * mebibyte));
  const began = performance.now();
  for (const answer of [
    await post(padding(limit + 1)),
    await post(gzipSync(padding(limit + 1)), gzip),
    await post(gzipSync(Buffer.alloc(limit + 1), { level: 0 }), gzip),
    await post(
      Buffer.concat([gzipSync(whole(fields())), ...Array.from({ length: 30 }, () => inflating)]),
      gzip,
    ),
  ]) {
    assertProblem(answer, 'request_too_large');
    assert.equal(answer.json.max_bytes, limit);
  }
  assert.ok(performance.now() - began < 5_000);
});

test('a recipient of a form is written to as one of JSON is', async () => {
  const { json } = await post(
    whole(fields({ to: [{ email: 'A@Sandbox.test' }, { email: 'a@sandbox.test' }] })),
  );
  const mails = await storedMails(service, json.message_id);
  assert.deepEqual(
    mails.map(({ recipient, status, is_queued }) => [recipient, status, is_queued]),
    [['A@sandbox.test', 2, true]],
  );
});
