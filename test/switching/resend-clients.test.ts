import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Account,
  countMessages,
  insertSender,
  startAccepting,
} from '../../src/accept/account.fixture.ts';
import {
  keyWith,
  openSwitching,
  setInstance,
  storedAttachments,
  storedMarks,
  storedMessage,
} from '../../src/compat/compat-bed.fixture.ts';
import type { TestService } from '../support/test-service.ts';
import {
  type ClientError,
  type ClientProgram,
  findGo,
  findPhp,
  findPython,
  findRuby,
  type Found,
  type Outcome,
  runCalls,
} from './client-program.fixture.ts';

let service: TestService;
let account: Account & { from: string };
before(async () => {
  service = await startAccepting();
  account = await openSwitching(service);
});
after(async () => await service.stop());

interface Client {
  found: Found;
  /** The variable that leads to us, as its documentation says it. */
  settings: (url: string) => Record<string, string>;
  /** As code for it attaches a file. */
  attachment: (file: { name: string; text: string; type: string; id: string }) => object;
  /** What it throws for a status and a name. */
  thrown: (status: number, name: string) => Partial<ClientError>;
  /** Its own checks come before the request: it cannot leave this out. */
  reply_to: unknown;
}

const octets = (text: string): number[] => [...Buffer.from(text)];
const withSlash = (url: string) => ({ RESEND_BASE_URL: `${url}/` });

const ofPython: Readonly<Record<string, string>> = {
  '400 validation_error': 'ValidationError',
  '422 validation_error': 'ValidationError',
  '422 missing_required_field': 'MissingRequiredFieldsError',
  '403 invalid_api_key': 'InvalidApiKeyError',
  '429 rate_limit_exceeded': 'RateLimitError',
};
const ofRuby: Readonly<Record<number, string>> = {
  400: 'InvalidRequestError',
  401: 'InvalidRequestError',
  404: 'NotFoundError',
  422: 'InvalidRequestError',
  429: 'RateLimitExceededError',
};

const clients: Client[] = [
  {
    found: findPython('resend-calls.py', {
      repositories: ['resend-python'],
      modules: ['resend', 'requests'],
    }),
    settings: (url) => ({ RESEND_API_URL: url }),
    attachment: ({ name, text, type, id }) => ({
      filename: name,
      content: octets(text),
      content_type: type,
      content_id: id,
    }),
    thrown: (status, name) => ({ class: ofPython[`${status} ${name}`] ?? 'ResendError', status, name }),
    reply_to: ['help@example.com', 'Sales <sales@example.com>'],
  },
  {
    found: findPhp('resend-calls.php', {
      repositories: ['resend-php'],
      files: ['/usr/share/php/GuzzleHttp/autoload.php'],
    }),
    settings: (url) => ({ RESEND_BASE_URL: url }),
    attachment: ({ name, text, type, id }) => ({
      filename: name,
      content: Buffer.from(text).toString('base64'),
      content_type: type,
      content_id: id,
    }),
    thrown: (status, name) => ({ class: 'ErrorException', status, name }),
    reply_to: ['help@example.com', 'Sales <sales@example.com>'],
  },
  {
    found: findRuby('resend-calls.rb', { repositories: ['resend-ruby'], gems: ['resend'] }),
    settings: withSlash,
    attachment: ({ name, text, type, id }) => ({
      filename: name,
      content: octets(text),
      content_type: type,
      content_id: id,
    }),
    thrown: (status) => ({ class: ofRuby[status] ?? 'Error', status }),
    reply_to: ['help@example.com', 'Sales <sales@example.com>'],
  },
  {
    found: findGo('resend-calls.go', { 'github.com/resend/resend-go/v3': 'resend-go' }),
    settings: withSlash,
    attachment: ({ name, text, type, id }) => ({
      Filename: name,
      Content: Buffer.from(text).toString('base64'),
      ContentType: type,
      ContentId: id,
    }),
    thrown: (status) => ({ class: status === 429 ? 'RateLimitError' : 'error' }),
    reply_to: 'help@example.com',
  },
];
const languages = ['Python', 'PHP', 'Ruby', 'Go'];

type Run = (op: string, ...args: unknown[]) => Promise<Outcome>;

for (const [index, client] of clients.entries()) {
  const { found, settings } = client;
  const skip = 'missing' in found && found.missing;
  const as =
    (key: string): Run =>
    async (op, ...args) => {
      const calls = [{ key, op, args }];
      const program = (found as { program: ClientProgram }).program;
      const [outcome] = await runCalls(program, { calls, settings: settings(service.base_url) });
      return outcome as Outcome;
    };
  const run: Run = async (op, ...args) => await as(account.api_key)(op, ...args);
  const title = `Resend’s client for ${languages[index]}`;
  const mail = (more: object = {}) => ({
    from: `Ana Pérez <${account.from}>`,
    to: ['delivered@sandbox.test'],
    subject: 'Hello',
    html: '<p>Hi</p>',
    ...more,
  });
  const refused = (
    { ok, error }: Outcome,
    [status, name]: [number, string],
    message: RegExp,
  ): ClientError => {
    assert.ok(error, JSON.stringify(ok));
    const thrown = client.thrown(status, name);
    assert.deepEqual({ ...error, ...thrown }, error, JSON.stringify(thrown));
    assert.match(error.message, message);
    return error;
  };

  test(`${title} sends all that it can say`, { skip }, async () => {
    const sent = await run('send', {
      from: `"Pérez, Ana" <${account.from}>`,
      to: ['Luis <luis@sandbox.test>', 'eva@sandbox.test'],
      cc: ['cc@sandbox.test'],
      bcc: ['bcc@sandbox.test'],
      reply_to: client.reply_to,
      subject: 'All of it',
      html: '<p><img src="cid:logo"></p>',
      text: 'Plain',
      headers: { 'X-Entity-Ref-ID': '1' },
      tags: [{ name: 'campaign', value: 'spring' }],
      attachments: [client.attachment({ name: 'ñ.txt', text: 'uno, dós', type: 'text/plain', id: 'logo' })],
    });
    const id = idOf(sent);
    const { envelope, html, text } = await storedMessage(service, id);
    assert.deepEqual(envelope.from, { address: account.from, name: 'Pérez, Ana' });
    assert.deepEqual(envelope.to, [
      { address: 'luis@sandbox.test', name: 'Luis' },
      { address: 'eva@sandbox.test' },
    ]);
    assert.deepEqual(envelope.cc, [{ address: 'cc@sandbox.test' }]);
    assert.equal(([envelope.reply_to].flat()[0] as { address: string }).address, 'help@example.com');
    assert.deepEqual(envelope.headers, [['X-Entity-Ref-ID', '1']]);
    assert.deepEqual([html, text], ['<p><img src="cid:logo"></p>', 'Plain']);
    assert.deepEqual((await storedMarks(service, id)).tags, { campaign: 'spring' });
    assert.deepEqual(await storedAttachments(service, id), [
      { type: 'text/plain', filename: 'ñ.txt', text: 'uno, dós', content_id: 'logo', disposition: null },
    ]);
  });

  test(`${title} sends a large file, a template and a batch`, { skip }, async () => {
    const text = 'x'.repeat(1_000_000);
    const files = [client.attachment({ name: 'a.bin', text, type: 'application/octet-stream', id: '' })];
    const [stored] = await storedAttachments(service, idOf(await run('send', mail({ attachments: files }))));
    assert.equal(stored?.text, text);

    const alias = `welcome-${languages[index]}`;
    const { json } = await account.api.post('/v1/mail-templates', {
      name: alias,
      subject: 'Hi {{ name }}',
      source: '<p>{{ name }}</p>',
      alias,
    });
    await account.api.post(`/v1/mail-templates/${json.id}/publish`);
    const templated = {
      from: account.from,
      to: ['a@sandbox.test'],
      template: { id: alias, variables: { name: 'Ana' } },
    };
    assert.equal((await storedMarks(service, idOf(await run('send', templated)))).subject, 'Hi Ana');

    const two = [mail({ subject: '1' }), mail({ subject: '2' })];
    const { data } = okOf(await run('batch', two, {})) as { data: { id: string }[] };
    const subjects = await Promise.all(data.map(async ({ id }) => (await storedMarks(service, id)).subject));
    assert.deepEqual(subjects, ['1', '2']);
    const bad = [mail(), mail({ to: ['nobody'] })];
    const count = await countMessages(account);
    refused(await run('batch', bad, {}), [422, 'validation_error'], /`to`/);
    assert.equal(await countMessages(account), count);
    const permissive = await run('batch', bad, { batch_validation: 'permissive' });
    const { errors } = okOf(permissive) as { errors: { index: number; message: string }[] };
    assert.deepEqual(
      errors.map((each) => each.index),
      [1],
    );
    assert.match(errors[0]?.message ?? '', /Invalid `to`/);
  });

  test(`${title} repeats a call without sending again`, { skip }, async () => {
    const options = { idempotency_key: `order/${languages[index]}` };
    const first = idOf(await run('send', mail(), options));
    assert.equal(idOf(await run('send', mail(), options)), first);
    const other = await run('send', mail({ subject: 'Other' }), options);
    refused(other, [409, 'invalid_idempotent_request'], /dempoten/);
  });

  test(`${title} schedules, moves, reads and cancels`, { skip }, async () => {
    const id = idOf(await run('send', mail({ scheduled_at: 'in 10 min' })));
    const read = async () =>
      okOf(await run('get', id)) as { last_event: string; subject: string; to: string[] };
    const { last_event, subject, to } = await read();
    assert.deepEqual([last_event, subject, to], ['scheduled', 'Hello', ['delivered@sandbox.test']]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    assert.equal(idOf(await run('update', id, later)), id);
    assert.equal((await storedMarks(service, id)).schedule_at?.toISOString(), later);
    assert.equal(idOf(await run('cancel', id)), id);
    assert.equal((await read()).last_event, 'canceled');
    const list = okOf(await run('list', { limit: 1 })) as { data: { id: string }[]; has_more: boolean };
    assert.deepEqual([list.data.map((each) => each.id), list.has_more], [[id], true]);
  });

  test(`${title} is told what went wrong`, { skip }, async () => {
    const wrong = `${account.api_key.slice(0, -4)}AAAA`;
    refused(await as(wrong)('send', mail()), [403, 'invalid_api_key'], /./);
    const reader = await keyWith(account, { scopes: ['mail:read'] });
    refused(await as(reader)('send', mail()), [401, 'restricted_api_key'], /./);
    const { email } = await insertSender(service, {
      instance_id: account.instance.id,
      domain: `unverified-${languages[index]}.example`.toLowerCase(),
      status: 'pending',
    });
    refused(await run('send', mail({ from: email })), [403, 'validation_error'], /not verified/);
    refused(await run('send', mail({ from: 'a@unknown.example' })), [403, 'validation_error'], /sender/);
    refused(await run('send', mail({ to: ['nobody'] })), [422, 'validation_error'], /Invalid `to` field/);
    refused(await run('send', mail({ html: '' })), [422, 'missing_required_field'], /`html` or `text`/);
    refused(await run('get', '0193e2f0-0000-7000-8000-000000000000'), [404, 'not_found'], /./);
  });

  test(`${title} is told of suppressed recipients and of limits`, { skip }, async () => {
    const gone = `gone-${languages[index]}@sandbox.test`.toLowerCase();
    const suppression = idOf(await run('suppress', gone));
    const id = idOf(await run('send', mail({ to: [gone] })));
    assert.equal((okOf(await run('get', id)) as { last_event: string }).last_event, 'suppressed');
    assert.equal(idOf(await run('unsuppress', gone)), suppression);

    const other = await openSwitching(service);
    await setInstance(service, other.instance.id, { requests_per_second: 1, requests_burst: 1 });
    const calls = Array.from({ length: 40 }, () => ({ key: other.api_key, op: 'domains', args: [] }));
    const program = (found as { program: ClientProgram }).program;
    const outcomes = await runCalls(program, { calls, settings: settings(service.base_url) });
    const limited = outcomes.find(({ error }) => error);
    assert.ok(limited, JSON.stringify(outcomes.at(-1)));
    const { retry_after } = refused(limited, [429, 'rate_limit_exceeded'], /./);
    if (languages[index] !== 'PHP') assert.match(String(retry_after), /^[1-9]\d*$/);
  });
}

function okOf({ ok, error }: Outcome): unknown {
  assert.ok(ok, JSON.stringify(error));
  return ok;
}

function idOf(outcome: Outcome): string {
  const { id, Id } = okOf(outcome) as { id?: string; Id?: string };
  return id ?? Id ?? '';
}
