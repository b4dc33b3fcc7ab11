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

/** Of errors that it throws; the others answer with a status that code looks at. */
const thrownByPython: Readonly<Record<number, string>> = {
  400: 'BadRequestsError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  429: 'TooManyRequestsError',
};

const clients: { language: string; found: Found }[] = [
  {
    language: 'Python',
    found: findPython('sendgrid-calls.py', {
      repositories: ['sendgrid-python', 'python-http-client'],
      modules: ['sendgrid'],
    }),
  },
  {
    language: 'PHP',
    found: findPhp('sendgrid-calls.php', { repositories: ['sendgrid-php', 'php-http-client'], files: [] }),
  },
  {
    language: 'Ruby',
    found: findRuby('sendgrid-calls.rb', {
      repositories: ['sendgrid-ruby', 'ruby-http-client'],
      gems: ['sendgrid-ruby'],
    }),
  },
  {
    language: 'Go',
    found: findGo('sendgrid-calls.go', {
      'github.com/sendgrid/sendgrid-go': 'sendgrid-go',
      'github.com/sendgrid/rest': 'rest',
    }),
  },
];

interface Answer {
  status: number;
  id: string | null;
  body: string;
}

for (const { language, found } of clients) {
  const skip = 'missing' in found && found.missing;
  const runAll = async (key: string, calls: { op: string; args: unknown[] }[]): Promise<Outcome[]> =>
    await runCalls((found as { program: ClientProgram }).program, {
      calls: calls.map((call) => ({ key, ...call })),
      settings: { SENDGRID_HOST: service.base_url },
    });
  const run = async (op: string, ...args: unknown[]): Promise<Outcome> => {
    const [outcome] = await runAll(account.api_key, [{ op, args }]);
    return outcome as Outcome;
  };
  const title = `SendGrid’s client for ${language}`;
  const mail = (more: object = {}) => ({
    personalizations: [{ to: [{ email: 'delivered@sandbox.test' }] }],
    from: { email: account.from },
    subject: 'Hello',
    content: [{ type: 'text/plain', value: 'Hi' }],
    ...more,
  });
  const refused = ({ ok, error }: Outcome, status: number, message: RegExp): void => {
    assert.ok(error, JSON.stringify(ok));
    assert.equal(error.status, status, error.message);
    const thrown = language === 'Python' ? thrownByPython[status] : 'Response';
    assert.equal(error.class, thrown);
    const { errors } = JSON.parse(error.message) as { errors: { message: string }[] };
    assert.match(errors[0]?.message ?? '', message);
  };

  test(`${title} sends all that its helpers can say`, { skip }, async () => {
    const outcome = await run('mail', {
      from: account.from,
      name: 'Ana Pérez',
      to: ['luis@sandbox.test', 'eva@sandbox.test'],
      cc: 'cc@sandbox.test',
      bcc: 'bcc@sandbox.test',
      reply_to: 'help@example.com',
      subject: 'All of it',
      text: 'Plain',
      html: '<p>Hi</p>',
      header: ['X-Other', '1'],
      category: 'Welcome',
      custom_arg: ['user', 'u_1'],
      attachment: ['a.txt', Buffer.from('one').toString('base64'), 'text/plain'],
    });
    const [id = ''] = await messagesOf(outcome);
    const { envelope, html, text } = await storedMessage(service, id);
    assert.deepEqual(envelope.from, { address: account.from, name: 'Ana Pérez' });
    assert.deepEqual(
      envelope.to.map(({ address }) => address),
      ['luis@sandbox.test', 'eva@sandbox.test'],
    );
    assert.equal(envelope.cc[0]?.address, 'cc@sandbox.test');
    assert.equal(([envelope.reply_to].flat()[0] as { address: string }).address, 'help@example.com');
    assert.deepEqual(envelope.headers, [['X-Other', '1']]);
    assert.deepEqual([html, text], ['<p>Hi</p>', 'Plain']);
    assert.deepEqual((await storedMarks(service, id)).tags, { category: 'Welcome', user: 'u_1' });
    const [file] = await storedAttachments(service, id);
    assert.deepEqual([file?.filename, file?.text], ['a.txt', 'one']);
  });

  test(`${title} sends personalizations, at a time, with a template`, { skip }, async () => {
    const alias = `d-welcome-${language}`;
    const { json } = await account.api.post('/v1/mail-templates', {
      name: alias,
      subject: 'Hi {{ name }}',
      source: '<p>{{ name }}</p>',
      alias,
    });
    await account.api.post(`/v1/mail-templates/${json.id}/publish`);
    const at = Math.ceil(Date.now() / 1000) + 3_600;
    const ids = await messagesOf(
      await run('send', {
        from: { email: account.from },
        template_id: alias,
        send_at: at,
        personalizations: ['ana', 'eva'].map((name) => ({
          to: [{ email: `${name}@sandbox.test` }],
          dynamic_template_data: { name },
        })),
      }),
    );
    const marks = await Promise.all(ids.map(async (id) => await storedMarks(service, id)));
    assert.deepEqual(
      marks.map(({ subject, schedule_at }) => [subject, schedule_at?.getTime()]),
      [
        ['Hi ana', at * 1000],
        ['Hi eva', at * 1000],
      ],
    );
  });

  test(`${title} is told what went wrong`, { skip }, async () => {
    const wrong = `${account.api_key.slice(0, -4)}AAAA`;
    const [unknown] = await runAll(wrong, [{ op: 'send', args: [mail()] }]);
    refused(unknown as Outcome, 401, /authorization grant is invalid/);
    const reader = await keyWith(account, { scopes: ['mail:read'] });
    const [forbidden] = await runAll(reader, [{ op: 'send', args: [mail()] }]);
    refused(forbidden as Outcome, 403, /access forbidden/);
    const { email } = await insertSender(service, {
      instance_id: account.instance.id,
      domain: `unverified-sendgrid-${language}.example`.toLowerCase(),
      status: 'pending',
    });
    const [unverified, address, empty, group] = await runAll(
      account.api_key,
      [
        mail({ from: { email } }),
        mail({ personalizations: [{ to: [{ email: 'nobody' }] }] }),
        mail({ content: [] }),
        mail({ asm: { group_id: 1 } }),
      ].map((each) => ({ op: 'send', args: [each] })),
    );
    refused(unverified as Outcome, 403, /not verified/);
    refused(address as Outcome, 400, /valid address/);
    refused(empty as Outcome, 400, /content is required/);
    refused(group as Outcome, 400, /groups/);
  });

  test(`${title} reads and changes suppressions, and is told of limits`, { skip }, async () => {
    const gone = `gone-${language}@sandbox.test`.toLowerCase();
    const [added, sent, listed, removed] = await runAll(account.api_key, [
      { op: 'post', args: ['asm/suppressions/global', { recipient_emails: [gone] }] },
      { op: 'send', args: [mail({ personalizations: [{ to: [{ email: gone }] }] })] },
      { op: 'get', args: ['suppression/unsubscribes'] },
      { op: 'delete', args: [`asm/suppressions/global/${gone}`] },
    ]);
    assert.equal(answerOf(added).status, 201);
    const [id = ''] = await messagesOf(sent as Outcome);
    const [row] = await service.db.query<{ status: number }>('select status from mails where msg_id = $1', [
      id,
    ]);
    assert.equal(row?.status, 4);
    const list = JSON.parse(answerOf(listed).body) as { email: string }[];
    assert.ok(list.some(({ email }) => email === gone));
    assert.equal(answerOf(removed).status, 204);

    const other = await openSwitching(service);
    await setInstance(service, other.instance.id, { requests_per_second: 1, requests_burst: 1 });
    const calls = Array.from({ length: 40 }, () => ({ op: 'get', args: ['suppression/blocks'] }));
    const limited = (await runAll(other.api_key, calls)).find(({ error }) => error);
    refused(limited as Outcome, 429, /./);
  });
}

function answerOf(outcome: Outcome | undefined): Answer {
  assert.ok(outcome?.ok, JSON.stringify(outcome));
  return outcome.ok as Answer;
}

/** Of a call that was accepted, in the order of its personalizations. */
async function messagesOf(outcome: Outcome): Promise<string[]> {
  const { status, id, body } = answerOf(outcome);
  assert.deepEqual([status, body], [202, '']);
  const rows = await service.db.query<{ msg_id: string }>(
    'select distinct msg_id, custom_msg_id from mails where custom_group_code = $1 order by custom_msg_id',
    [id],
  );
  return rows.map(({ msg_id }) => msg_id);
}
