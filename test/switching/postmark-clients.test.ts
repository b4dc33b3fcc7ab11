import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Account, insertSender, startAccepting } from '../../src/accept/account.fixture.ts';
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
  findPhp,
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
  language: string;
  found: Found;
  /** What it throws for a status and an `ErrorCode`. */
  thrown: (status: number, code: number) => Partial<ClientError>;
}

const ofRuby: Readonly<Record<number, string>> = {
  300: 'InvalidEmailAddressError',
  406: 'InactiveRecipientError',
};

const clients: Client[] = [
  {
    language: 'Ruby',
    found: findRuby('postmark-calls.rb', { gems: ['postmark', 'mail'] }),
    thrown: (status, code) => {
      if (status === 401) return { class: 'InvalidApiKeyError', status };
      if (status === 422) return { class: ofRuby[code] ?? 'ApiInputError', status, code };
      return { class: 'UnexpectedHttpResponseError', status };
    },
  },
  {
    language: 'PHP',
    found: findPhp('postmark-calls.php', {
      repositories: ['postmark-php'],
      files: ['/usr/share/php/GuzzleHttp/autoload.php'],
    }),
    thrown: (status, code) => ({
      class: 'PostmarkException',
      status,
      // It reads the codes of other statuses only.
      code: status === 401 ? null : code,
    }),
  },
];

interface Sent {
  MessageID?: string;
  message_id?: string;
  ErrorCode?: number;
  error_code?: number;
  Message?: string;
  message?: string;
}

for (const { language, found, thrown } of clients) {
  const skip = 'missing' in found && found.missing;
  const runAll = async (key: string, calls: { op: string; args: unknown[] }[]): Promise<Outcome[]> =>
    await runCalls((found as { program: ClientProgram }).program, {
      calls: calls.map((call) => ({ key, ...call })),
      settings: { POSTMARK_HOST: service.base_url.replace('http://', '') },
    });
  const run = async (op: string, ...args: unknown[]): Promise<Outcome> => {
    const [outcome] = await runAll(account.api_key, [{ op, args }]);
    return outcome as Outcome;
  };
  const title = `Postmark’s client for ${language}`;
  const mail = (more: object = {}) => ({
    From: account.from,
    To: 'delivered@sandbox.test',
    Subject: 'Hello',
    TextBody: 'Hi',
    ...more,
  });
  const refused = ({ ok, error }: Outcome, [status, code]: [number, number], message: RegExp): void => {
    assert.ok(error, JSON.stringify(ok));
    const wanted = thrown(status, code);
    assert.deepEqual({ ...error, ...wanted }, error, JSON.stringify(wanted));
    assert.match(error.message, message);
  };
  /** Sends one mail with the method that code calls. */
  const single = async (given: object, key = account.api_key): Promise<Outcome> => {
    const [outcome] = await runAll(key, [{ op: 'mail', args: [{ ...whole, from: account.from, ...given }] }]);
    return outcome as Outcome;
  };

  test(`${title} sends all that it can say`, { skip }, async () => {
    const outcome = await single({
      from: `Ana Pérez <${account.from}>`,
      to: 'Luis <luis@sandbox.test>, eva@sandbox.test',
      cc: 'cc@sandbox.test',
      bcc: 'bcc@sandbox.test',
      reply_to: 'help@example.com',
      tag: 'Welcome mail',
      metadata: { user: 'u_1' },
      message_stream: 'outbound',
      track_opens: false,
      headers: { 'X-Other': '1' },
      attachment: ['a.txt', 'one', 'text/plain'],
    });
    const { id, code } = sentOf(outcome);
    assert.equal(code, 0);
    const { envelope, html, text } = await storedMessage(service, id);
    assert.deepEqual(envelope.from, { address: account.from, name: 'Ana Pérez' });
    assert.deepEqual(envelope.to, [
      { address: 'luis@sandbox.test', name: 'Luis' },
      { address: 'eva@sandbox.test' },
    ]);
    assert.deepEqual(envelope.cc, [{ address: 'cc@sandbox.test' }]);
    assert.equal(([envelope.reply_to].flat()[0] as { address: string }).address, 'help@example.com');
    assert.deepEqual(envelope.headers, [['X-Other', '1']]);
    assert.deepEqual(envelope.untracked, ['opens']);
    assert.deepEqual([html, text], ['<p>Hi</p>', 'Plain']);
    assert.deepEqual((await storedMarks(service, id)).tags, { Tag: 'Welcome mail', user: 'u_1' });
    const [file] = await storedAttachments(service, id);
    assert.deepEqual([file?.filename, file?.text, file?.content_id], ['a.txt', 'one', null]);
  });

  test(`${title} sends batches and templates`, { skip }, async () => {
    const batch = okOf(await run('batch', [mail({ Subject: '1' }), mail({ To: 'nobody' })])) as Sent[];
    assert.deepEqual(
      batch.map(({ ErrorCode, error_code }) => ErrorCode ?? error_code),
      [0, 300],
    );
    const alias = `welcome-${language}`;
    const { json } = await account.api.post('/v1/mail-templates', {
      name: alias,
      subject: 'Hi {{ name }}',
      source: '<p>{{ name }}</p>',
      alias,
    });
    await account.api.post(`/v1/mail-templates/${json.id}/publish`);
    const templated = (more: object) => ({
      From: account.from,
      To: 'a@sandbox.test',
      TemplateModel: { name: 'Ana' },
      ...more,
    });
    const [byId, byAlias, many, unknown, listed, valid] = await runAll(account.api_key, [
      { op: 'template', args: [templated({ TemplateId: json.id })] },
      { op: 'template', args: [templated({ TemplateAlias: alias })] },
      {
        op: 'templates',
        args: [[templated({ TemplateAlias: alias }), templated({ TemplateAlias: 'none' })]],
      },
      { op: 'template', args: [templated({ TemplateAlias: 'none' })] },
      { op: 'listed', args: [] },
      {
        op: 'validate',
        args: [{ Subject: 'Hi {{ name }}', HtmlBody: '<p>', TestRenderModel: { name: 'Ana' } }],
      },
    ]);
    for (const each of [byId, byAlias])
      assert.equal((await storedMarks(service, sentOf(each as Outcome).id)).subject, 'Hi Ana');
    assert.deepEqual(
      (okOf(many as Outcome) as Sent[]).map(({ ErrorCode, error_code }) => ErrorCode ?? error_code),
      [0, 1101],
    );
    refused(unknown as Outcome, [422, 1101], /template/i);
    assert.match(JSON.stringify(listed), language === 'Ruby' ? new RegExp(alias) : /"TotalCount":[1-9]/);
    assert.match(JSON.stringify(valid), /Hi Ana/);
  });

  test(`${title} is told of inactive recipients`, { skip }, async () => {
    const gone = `gone-${language}@sandbox.test`.toLowerCase();
    okOf(await run('suppress', gone));
    refused(await single({ to: gone }), [422, 406], /marked as inactive. Found inactive addresses: gone/);
    const some = sentOf(await single({ to: `${gone}, a@sandbox.test` }));
    assert.match(some.message, new RegExp(`inactive addresses: ${gone}`));
    const listed = okOf(await run('suppressions'));
    // The lists of the client for PHP show nothing of themselves.
    if (language === 'Ruby') assert.match(JSON.stringify(listed), new RegExp(gone));
    okOf(await run('unsuppress', gone));
    assert.equal(sentOf(await single({ to: gone })).code, 0);
  });

  test(`${title} reads what was sent`, { skip }, async () => {
    const { id } = sentOf(await single({ subject: `Read by ${language}` }));
    const [list, one, bounces, stats, server, streams] = await runAll(account.api_key, [
      { op: 'messages', args: [{ count: 1, offset: 0 }] },
      { op: 'message', args: [id] },
      { op: 'bounces', args: [] },
      { op: 'stats', args: [] },
      { op: 'server', args: [] },
      { op: 'streams', args: [] },
    ]);
    for (const each of [list, one]) assert.match(JSON.stringify(each), new RegExp(`Read by ${language}`));
    okOf(bounces as Outcome);
    okOf(stats as Outcome);
    assert.match(JSON.stringify(server), new RegExp(account.instance.slug));
    assert.match(JSON.stringify(streams), /broadcast/);
  });

  test(`${title} is told what went wrong`, { skip }, async () => {
    const wrong = `${account.api_key.slice(0, -4)}AAAA`;
    refused(await single({}, wrong), [401, 10], language === 'Ruby' ? /valid Server token/ : /Unauthorized/);
    const reader = await keyWith(account, { scopes: ['mail:read'] });
    refused(await single({}, reader), [401, 10], /./);
    const { email } = await insertSender(service, {
      instance_id: account.instance.id,
      domain: `unverified-postmark-${language}.example`.toLowerCase(),
      status: 'pending',
    });
    refused(await single({ from: email }), [422, 401], /not verified/);
    refused(await single({ from: 'x@unknown.example' }), [422, 400], /sender/);
    refused(await single({ to: 'a@sandbox.test, nobody' }), [422, 300], /Invalid 'To' address/);
    const other = await openSwitching(service);
    await setInstance(service, other.instance.id, { requests_per_second: 1, requests_burst: 1 });
    const calls = Array.from({ length: 40 }, () => ({ op: 'streams', args: [] }));
    const limited = (await runAll(other.api_key, calls)).find(({ error }) => error);
    refused(limited as Outcome, [429, 429], /./);
  });
}

/** What every mail of `single` has. */
const whole = {
  to: 'delivered@sandbox.test',
  subject: 'Hello',
  text: 'Plain',
  html: '<p>Hi</p>',
  headers: {},
  tag: '',
  metadata: {},
  message_stream: 'outbound',
  track_opens: false,
  attachment: ['a.txt', 'one', 'text/plain'],
};

function okOf({ ok, error }: Outcome): unknown {
  assert.ok(ok, JSON.stringify(error));
  return ok;
}

function sentOf(outcome: Outcome): { id: string; code: number; message: string } {
  const given = okOf(outcome) as Sent;
  return {
    id: given.MessageID ?? given.message_id ?? '',
    code: given.ErrorCode ?? given.error_code ?? -1,
    message: given.Message ?? given.message ?? '',
  };
}
