import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import PostalMime from 'postal-mime';
import { ContactHashes } from '../base/contact-hash.ts';
import { RootSecret } from '../base/secrets.ts';
import { createSmtpCredential, revokeSmtpCredential } from '../credentials/smtp-credentials.ts';
import { suppressContacts } from '../restrictions/index.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

const actor = { kind: 'operator' } as const;
let service: TestService;
let tenant: Tenant;
let login: { username: string; password: string };
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  login = await service.db.transaction(
    async (tx) => await createSmtpCredential(tx, tenant.instance.id, { name: 'test', actor }),
  );
});
after(async () => await service.stop());

interface Refusal {
  responseCode: number;
  response: string;
}

async function submit(
  message: SendMailOptions,
  { secure = false, auth = login }: { secure?: boolean; auth?: typeof login } = {},
): Promise<string> {
  const { starttls, tls } = service.service.addresses.submission ?? { starttls: '', tls: '' };
  const [host, port] = (secure ? tls : starttls).split(':');
  const transport = createTransport({
    host: host ?? '',
    port: Number(port),
    secure,
    requireTLS: !secure,
    tls: { rejectUnauthorized: false },
    auth: { user: auth.username, pass: auth.password },
  });
  try {
    const { response } = await transport.sendMail({
      from: sender(),
      to: 'delivered@sandbox.test',
      ...message,
    });
    return response;
  } finally {
    transport.close();
  }
}
const sender = (): string => `"Ana Ñandú" <test@${tenant.instance.slug}.sandbox.test>`;
const refusal = async (message: SendMailOptions, options?: { auth: typeof login }): Promise<Refusal> =>
  await submit(message, options).then(
    (response) => assert.fail(response),
    (error: Refusal) => error,
  );
const msgIdOf = (response: string): string => {
  const match = /^250 2\.0\.0 queued as ([0-9a-f-]{36})$/.exec(response);
  assert.ok(match, response);
  return match[1] ?? '';
};
const stored = async (msgId: string) => {
  const [row] = await service.db.query<{ raw: Buffer; source: string; test_mode: boolean }>(
    'select raw, source, test_mode from messages where msg_id = $1',
    [msgId],
  );
  const mails = await service.db.query<Record<string, unknown>>(
    'select recipient, recipient_kind, subject, custom_msg_id, status, test_mode from mails where msg_id = $1 order by mail_id',
    [msgId],
  );
  return { raw: row?.raw ?? Buffer.alloc(0), source: row?.source, test_mode: row?.test_mode, mails };
};

for (const secure of [false, true]) {
  test(`a message comes in over ${secure ? 'TLS' : 'STARTTLS'} and is kept as it was`, async () => {
    const attachment = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256));
    const response = await submit(
      {
        subject: 'Olá ñandú 🦤',
        html: '<p>Hola <img src="cid:logo"></p>',
        text: 'Hola',
        cc: 'copy@sandbox.test',
        bcc: 'hidden@sandbox.test',
        attachments: [
          { filename: 'señal.bin', content: attachment },
          { filename: 'logo.png', content: Buffer.from('png'), cid: 'logo' },
        ],
        headers: { 'X-Chq-Custom-Msg-Id': 'order-9', 'X-Chq-Category': 'Facturas', 'X-Own': 'kept' },
      },
      { secure },
    );
    const { raw, source, mails } = await stored(msgIdOf(response));
    assert.equal(source, 'smtp');
    assert.deepEqual(
      mails.map(({ recipient, recipient_kind }) => [recipient, recipient_kind]),
      [
        ['delivered@sandbox.test', 'to'],
        ['copy@sandbox.test', 'cc'],
        ['hidden@sandbox.test', 'bcc'],
      ],
    );
    assert.deepEqual([mails[0]?.['subject'], mails[0]?.['custom_msg_id']], ['Olá ñandú 🦤', 'order-9']);
    const parsed = await PostalMime.parse(raw);
    assert.equal(parsed.subject, 'Olá ñandú 🦤');
    assert.match(parsed.html ?? '', /<p>Hola <img src="cid:logo"><\/p>/);
    assert.equal(parsed.attachments.length, 2);
    const file = parsed.attachments.find(({ filename }) => filename === 'señal.bin');
    assert.ok(Buffer.from(file?.content as ArrayBuffer).equals(attachment));
    const names = parsed.headers.map(({ key }) => key);
    assert.ok(names.includes('x-own'));
    assert.deepEqual(
      names.filter((name) => name.startsWith('x-chq-') || name === 'bcc'),
      [],
    );
  });
}

test('a wrong password, an unknown user and a revoked credential are refused alike', async () => {
  const revoked = await service.db.transaction(
    async (tx) => await createSmtpCredential(tx, tenant.instance.id, { name: 'gone', actor }),
  );
  await service.db.transaction(
    async (tx) =>
      await revokeSmtpCredential(tx, tenant.instance.id, {
        username: revoked.username,
        actor,
        now: new Date(),
      }),
  );
  const replies = [];
  for (const auth of [
    { ...login, password: 'x'.repeat(43) },
    { username: 'chq-aaaaaaaaaaaaaaaa', password: login.password },
    { username: 'somebody', password: 'else' },
    revoked,
  ]) {
    replies.push((await refusal({ subject: 'x', text: 'x' }, { auth })).response);
  }
  assert.deepEqual([...new Set(replies)], ['535 5.7.8 unauthorized: Valid credentials are required.']);
});

test('From must be a sender of the credential’s instance', async () => {
  const other = await service.tenant();
  for (const from of ['stranger@example.com', `test@${other.instance.slug}.sandbox.test`]) {
    const { responseCode, response } = await refusal({ from, subject: 'x', text: 'x' });
    assert.equal(responseCode, 550, response);
    assert.match(response, /^550 5\.7\.1 sender_not_found: /);
  }
});

test('the envelope decides who gets it, whatever the header says', async () => {
  const response = await submit({
    subject: 'x',
    text: 'x',
    envelope: { from: 'anything@example.com', to: ['delivered@sandbox.test', 'DELIVERED@sandbox.test'] },
  });
  const { mails } = await stored(msgIdOf(response));
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['delivered@sandbox.test'],
  );
});

test('a subject of 254 characters passes, one of 255 is 554 5.6.0', async () => {
  msgIdOf(await submit({ subject: 'ñ'.repeat(254), text: 'x' }));
  assert.match(
    (await refusal({ subject: 'ñ'.repeat(255), text: 'x' })).response,
    /^554 5\.6\.0 validation_error: /,
  );
});

test('50 recipients pass, the 51st is 452 4.5.3', async () => {
  const to = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@sandbox.test`);
  const { mails } = await stored(msgIdOf(await submit({ to: to(50), subject: 'x', text: 'x' })));
  assert.equal(mails.length, 50);
  const { starttls } = service.service.addresses.submission ?? { starttls: '' };
  const [host, port] = starttls.split(':');
  const transport = createTransport({
    host: host ?? '',
    port: Number(port),
    tls: { rejectUnauthorized: false },
    auth: { user: login.username, pass: login.password },
  });
  const info = await transport.sendMail({ from: sender(), to: to(51), subject: 'x', text: 'x' });
  transport.close();
  assert.equal(info.rejected.length, 1);
  assert.match(String(info.rejectedErrors?.[0]?.response), /^452 4\.5\.3 /);
});

const restrict = async (recipient: string): Promise<unknown> =>
  await service.db.query(
    `insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'hard_bounce')`,
    [tenant.instance.id, recipient],
  );
const statuses = async (response: string): Promise<unknown[]> =>
  (await stored(msgIdOf(response))).mails.map(({ recipient, status }) => [recipient, status]);

test('a restricted recipient is dropped, in any letters, and the others are written to', async () => {
  await restrict('gone@sandbox.test');
  const to = ['first@sandbox.test', 'GONE@sandbox.test', 'last@sandbox.test'];
  assert.deepEqual(await statuses(await submit({ to, subject: 'x', text: 'x' })), [
    ['first@sandbox.test', 2],
    ['GONE@sandbox.test', 4],
    ['last@sandbox.test', 2],
  ]);
});

test('a message to others keeps no address of an erased person; a message only to them is not kept', async () => {
  const hashes = new ContactHashes(new RootSecret('a root secret for tests, and for tests alone'));
  await suppressContacts(service.db, tenant.instance.id, {
    kind: 'erased',
    hashes: [hashes.ofAddress(tenant.instance.id, 'eva@sandbox.test')],
    request_id: 1,
    since: new Date(),
  });
  const eva = '"Eva Erased" <Eva@sandbox.test>';
  const shared = await stored(msgIdOf(await submit({ to: ['ana@sandbox.test', eva], text: 'Hello' })));
  assert.match(shared.raw.toString(), /ana@sandbox\.test[^]*Hello/);
  assert.doesNotMatch(shared.raw.toString(), /eva/i);
  const own = await stored(msgIdOf(await submit({ to: eva, text: 'Hello Eva' })));
  assert.equal(own.raw.length, 0);
  assert.deepEqual(
    [...shared.mails, ...own.mails].map(({ recipient, status }) => [recipient, status === 4]),
    [
      ['ana@sandbox.test', false],
      ['erased@erased.invalid', true],
      ['erased@erased.invalid', true],
    ],
  );
});

test('an address that is restricted while the message arrives gets no mail', async () => {
  async function* slowly(): AsyncGenerator<string> {
    yield 'The beginning';
    await delay(500);
    await restrict('going@sandbox.test');
    yield ' and the end.';
  }
  const text = Readable.from(slowly());
  assert.deepEqual(await statuses(await submit({ to: 'going@sandbox.test', subject: 'x', text })), [
    ['going@sandbox.test', 4],
  ]);
});

test('a message over 15 MB is 552 5.3.4', async () => {
  const text = `${'x'.repeat(70)}\r\n`.repeat(230_000);
  assert.match((await refusal({ subject: 'x', text })).response, /^552 5\.3\.4 /);
});

test('attachments over the limit of the instance are accepted and end as dropped', async () => {
  const content = Buffer.alloc(1024 * 1024 + 1, 1);
  const response = await submit({ subject: 'x', text: 'x', attachments: [{ filename: 'a.bin', content }] });
  const { mails } = await stored(msgIdOf(response));
  assert.equal(mails[0]?.['status'], 4);
  const many = Array.from({ length: 21 }, (_, index) => ({ filename: `${index}.txt`, content: 'x' }));
  const dropped = await stored(msgIdOf(await submit({ subject: 'x', text: 'x', attachments: many })));
  assert.equal(dropped.mails[0]?.['status'], 4);
});

test('an option with a value or a name that does not exist is refused, and not taken for another', async () => {
  for (const [name, value, expected] of [
    ['X-Chq-Test-Mode', 'maybe', /X-Chq-Test-Mode is true or false/],
    ['X-Chq-Track-Opens', 'off', /X-Chq-Track-Opens is true or false/],
    ['X-Chq-Testmode', 'true', /no option x-chq-testmode; did you mean X-Chq-Test-Mode\?/],
    ['X-Chq-Colour', 'red', /no option x-chq-colour\./],
  ] as const) {
    const { response } = await refusal({ text: 'x', headers: { [name]: value } });
    assert.match(response ?? '', /^554 5\.6\.0 /);
    assert.match(response ?? '', expected);
  }
  const twice = { 'X-Chq-Test-Mode': ['false', 'true'] };
  assert.match((await refusal({ text: 'x', headers: twice })).response ?? '', /x-chq-test-mode twice/);
  for (const [value, expected] of [
    ['TRUE', true],
    ['no', false],
    ['', false],
  ] as const) {
    const { mails } = await stored(
      msgIdOf(await submit({ text: 'x', headers: { 'X-Chq-Test-Mode': value } })),
    );
    assert.equal(mails[0]?.['test_mode'], expected, value);
  }
});

test('a message that is written anew under the same key is not sent again', async () => {
  const send = async (more: SendMailOptions = {}) =>
    await submit({
      to: ['ana@sandbox.test', 'eva@sandbox.test'],
      subject: 'Order 1001',
      text: 'Thank you',
      html: '<p>Thank you</p>',
      attachments: [{ filename: 'a.txt', content: 'A file' }],
      headers: { 'X-Chq-Idempotency-Key': 'order-1001' },
      ...more,
    });
  const first = msgIdOf(await send());
  assert.equal(msgIdOf(await send({ date: new Date(0), messageId: '<other@example.com>' })), first);
  assert.doesNotMatch((await stored(first)).raw.toString(), /idempotency/i);
  const others: SendMailOptions[] = [
    { subject: 'Order 1002' },
    { text: 'Thank you!' },
    { attachments: [{ filename: 'b.txt', content: 'A file' }] },
    { to: 'ana@sandbox.test' },
    { cc: 'leo@sandbox.test' },
  ];
  for (const changes of others) {
    const { response } = await send(changes).then(
      (answer) => assert.fail(answer),
      (error: Refusal) => error,
    );
    assert.match(response, /^550 5\.7\.1 idempotency_key_reused: /, JSON.stringify(changes));
  }
  const { response } = await refusal({ text: 'x', headers: { 'X-Chq-Idempotency-Key': 'two words' } });
  assert.match(response, /^554 5\.6\.0 validation_error: An idempotency key/);
});

test('while the first message with a key is being accepted, the second is told to come again', async () => {
  const send = async () =>
    await submit({ text: 'x', headers: { 'X-Chq-Idempotency-Key': 'at-once' } }).catch(
      (error: Refusal) => error.response,
    );
  const answers = await Promise.all(Array.from({ length: 6 }, send));
  const storedAs = new Set(answers.filter((answer) => answer.startsWith('250')));
  assert.equal(storedAs.size, 1);
  for (const answer of answers.filter((each) => !each.startsWith('250')))
    assert.match(answer, /^451 4\.3\.0 idempotency_in_progress: /);
});

test('codes of the HTTP send stand in the reply', async () => {
  assert.match(
    (await refusal({ to: 'real@example.com', subject: 'x', text: 'x' })).response,
    /^550 5\.7\.1 sandbox_relay_restricted: /,
  );
  await service.db.query("update instances set subscription_status = 'inactive' where id = $1", [
    tenant.instance.id,
  ]);
  await waitFor(
    async () =>
      /subscription_inactive/.test(
        await submit({ subject: 'x', text: 'x' }).catch((error: Refusal) => error.response),
      ),
    { what: 'the inactive subscription to be noticed' },
  );
  const { response } = await refusal({ subject: 'x', text: 'x' });
  assert.match(response, /^550 5\.7\.1 subscription_inactive: /);
  await service.db.query("update instances set subscription_status = 'active' where id = $1", [
    tenant.instance.id,
  ]);
});
