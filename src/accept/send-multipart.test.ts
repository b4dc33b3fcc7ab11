import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, storedMails, type Account, type Body } from './account.fixture.ts';
import { boundary, fieldsOf, file, formType, postForm, whole, type Part } from './form.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const fields = (changes: Body = {}): Part[] => fieldsOf(account, changes);
const post = async (body: Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  await postForm(account, body, headers);

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
test('a form that arrives in pieces, without its length, is the same form', async () => {
  const body = whole([...fields(), file('filename="a"', anyBytes)]);
  const pieces = Array.from(
    { length: Math.ceil(body.length / 997) },
    (_, index) => new Uint8Array(body.subarray(index * 997, (index + 1) * 997)),
  );
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': formType },
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
