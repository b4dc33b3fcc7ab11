import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import type { ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { createTemplate } from '../templates/templates.ts';
import { renderer } from '../../test/support/template-renderer.ts';
import { createApi } from '../../test/support/api.ts';
import { createApiKey } from '../credentials/api-keys.ts';
import {
  countMessages,
  openAccount,
  startAccepting,
  storedMails,
  type Account,
  type Body,
} from './account.fixture.ts';
import { halfWritten } from './half-written.fixture.ts';

const actor = { kind: 'operator' } as const;
let service: TestService;
let other: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  other = await startAccepting({ database: service.database });
  account = await openAccount(service);
});
after(async () => {
  await other.stop();
  await service.stop();
});

interface Result {
  message_id?: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  error?: any;
}

async function batch(
  from: Account,
  mails: unknown[],
  more: { on_error?: string; key?: string; base_url?: string } = {},
): Promise<ApiResponse & { results: Result[] }> {
  const { on_error, key, base_url = service.base_url } = more;
  const api = createApi({ base_url, api_key: from.api_key, slug: from.instance.slug });
  const answer = await api.post(
    '/v1/mails/batch',
    { mails, ...(on_error ? { on_error } : {}) },
    key === undefined ? {} : { 'idempotency-key': key },
  );
  return { ...answer, results: answer.json.data ?? [] };
}

const codes = (results: Result[]): string[] => results.map(({ error }) => error?.code ?? 'accepted');
const out = (from: Account, changes: Body = {}): Body =>
  from.mail({ sender_email: from.sender.email, to: [{ email: 'ana@example.com' }], ...changes });

test('the mails of a batch are accepted in order, with one commit, and are those of single sends', async () => {
  const own = await openAccount(service);
  const mails = Array.from({ length: 20 }, (_, index) =>
    own.mail({
      subject: `Mail ${index}`,
      custom_msg_id: `order-${index}`,
      to: [{ email: `p${index}@sandbox.test` }, { email: 'copy@sandbox.test', name: 'Copy' }],
      attachments: index % 3 === 0 ? [{ type: 'text/plain', filename: 'a.txt', content: 'SGVsbG8=' }] : [],
    }),
  );
  const { status, results } = await batch(own, mails);
  assert.equal(status, 200);
  const ids = results.map(({ message_id }) => message_id);
  assert.equal(new Set(ids).size, 20);
  const rows = await service.db.query<{ msg_id: string; subject: string; commits: string; files: number }>(
    `select msg_id, envelope ->> 'subject' as subject, xmin::text as commits,
       (select count(*) from message_attachments a where a.msg_id = m.msg_id) as files
     from messages m where instance_id = $1 order by msg_id`,
    [own.instance.id],
  );
  assert.deepEqual(
    rows.map(({ msg_id, subject, files }) => [msg_id, subject, files]),
    ids.map((id, index) => [id, `Mail ${index}`, index % 3 === 0 ? 1 : 0]),
  );
  assert.equal(new Set(rows.map(({ commits }) => commits)).size, 1);
  const [first, second] = await storedMails(service, ids[4] ?? '');
  assert.deepEqual(
    [first?.recipient, first?.is_queued, second?.recipient_name],
    ['p4@sandbox.test', true, 'Copy'],
  );
  assert.deepEqual(await service.db.query(halfWritten), []);
});

test('a batch of 500 mails with 50 bad ones sends 450 and reports rule and place of each bad one', async () => {
  const own = await openAccount(service);
  const bad: Body[] = [
    { to: [{ email: 'not an address' }] },
    { sender_email: `unknown@${own.instance.slug}.sandbox.test` },
    { to: [{ email: 'ana@example.com' }] },
    { schedule: 'soon' } as Body,
    { template_id: 1 },
    { attachments: [{ type: 'text/plain', filename: 'a', content: '!' }] },
    { subject: '\0' },
    { to: 7 },
    { html: undefined },
    { template_id: 987_654, subject: undefined, html: undefined },
  ];
  const expected = [
    'validation_error /mails/3/to/0/email',
    'sender_not_found ',
    'sandbox_relay_restricted ',
    'validation_error /mails/33/schedule',
    'validation_error /mails/43/subject',
    'validation_error /mails/53/attachments/0/content',
    'validation_error /mails/63/subject',
    'validation_error /mails/73/to',
    'validation_error /mails/83/html',
    'mail_template_not_found ',
  ];
  const mails = Array.from({ length: 500 }, (_, index) =>
    own.mail(index % 10 === 3 ? bad[Math.floor(index / 10) % 10] : { subject: `Mail ${index}` }),
  );
  const { status, results } = await batch(own, mails);
  assert.equal(status, 200);
  assert.equal(results.length, 500);
  for (const [index, { message_id, error }] of results.entries()) {
    assert.equal(index % 10 === 3, message_id === undefined, `${index}`);
    if (index % 10 === 3 && index < 100) {
      assert.equal(`${error.code} ${error.errors?.[0].pointer ?? ''}`, expected[Math.floor(index / 10)]);
      assert.match(error.type, /^http.*\/docs\/errors\//);
    }
  }
  const subjects = await service.db.query<{ msg_id: string; subject: string }>(
    `select msg_id, envelope ->> 'subject' as subject from messages where instance_id = $1`,
    [own.instance.id],
  );
  assert.equal(subjects.length, 450);
  const byId = new Map(subjects.map(({ msg_id, subject }) => [msg_id, subject]));
  for (const [index, { message_id = '' }] of results.entries())
    if (index % 10 !== 3) assert.equal(byId.get(message_id), `Mail ${index}`);
});

test('reject refuses the batch for one bad mail, reports every bad mail and stores nothing', async () => {
  const own = await openAccount(service, { settings: { plan_send_limit: 100 } });
  const unread = await batch(
    own,
    [out(own), out(own, { subject: '' }), out(own), out(own, { to: [{ email: 'x' }] })],
    {
      on_error: 'reject',
      key: 'k',
    },
  );
  assertProblem(unread, 'validation_error');
  const pointers = ({ json }: ApiResponse): string[] =>
    json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  assert.deepEqual(pointers(unread), [
    '/mails/1/subject string_too_short',
    '/mails/3/to/0/email value_error.email',
  ]);
  const refused = await batch(
    own,
    [
      out(own),
      out(own, { sender_email: 'nobody@example.com' }),
      out(own, { template_id: 5, subject: undefined, html: undefined }),
    ],
    { on_error: 'reject', key: 'k' },
  );
  assertProblem(refused, 'validation_error');
  assert.deepEqual(pointers(refused), ['/mails/1 sender_not_found', '/mails/2 mail_template_not_found']);
  assert.equal(await countMessages(own), 0);
  const [plan] = await service.db.query<{ used: number }>(
    'select used from plan_usage where instance_id = $1',
    [own.instance.id],
  );
  assert.equal(plan?.used ?? 0, 0);
  const good = await batch(own, [out(own), out(own)], { on_error: 'reject', key: 'k' });
  assert.deepEqual([good.status, codes(good.results)], [200, ['accepted', 'accepted']]);
});

test('a batch has 1 to 500 mails, known members and at most 20 MB', async () => {
  const violation = async (body: unknown): Promise<string> => {
    const answer = await account.api.post('/v1/mails/batch', body);
    assertProblem(answer, 'validation_error');
    return answer.json.errors
      .map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
      .join();
  };
  assert.equal(await violation({}), '/mails missing');
  assert.equal(await violation({ mails: [] }), '/mails too_short');
  assert.equal(
    await violation({ mails: Array.from({ length: 501 }, () => account.mail()) }),
    '/mails too_long',
  );
  assert.equal(await violation({ mails: [account.mail()], on_error: 'stop' }), '/on_error enum');
  assert.equal(await violation({ mails: [account.mail()], onerror: 'skip' }), '/onerror extra_forbidden');
  assert.equal(await violation({ mails: 'all' }), '/mails list_type');
  const html = 'x'.repeat(4 * 1024 * 1024);
  const large = await batch(
    account,
    Array.from({ length: 6 }, () => account.mail({ html })),
  );
  assertProblem(large, 'request_too_large');
  for (const item of [null, 7, [], 'mail', {}])
    assert.deepEqual(codes((await batch(account, [item, account.mail()])).results), [
      'validation_error',
      'accepted',
    ]);
});

test('a batch may be made of five times as many values as a send', async () => {
  const variables = Object.fromEntries(Array.from({ length: 180 }, (_, index) => [`v${index}`, index]));
  const mail = account.mail({
    to: [{ email: 'delivered@sandbox.test', variables }],
    padding: 'x'.repeat(200),
  } as Body);
  const enough = await batch(
    account,
    Array.from({ length: 500 }, () => mail),
  );
  assert.equal(enough.status, 200);
  const two = { ...mail, to: [mail.to, mail.to].flat() };
  assertProblem(
    await batch(
      account,
      Array.from({ length: 500 }, () => two),
    ),
    'bad_request',
  );
});

test('the plan has room for as many mails as it has, in their order', async () => {
  const own = await openAccount(service, { settings: { plan_send_limit: 5 } });
  const two = [{ email: 'ana@example.com' }, { email: 'eva@example.com' }];
  const mails = [
    out(own, { to: two }),
    out(own),
    out(own, { to: two }),
    out(own, { to: two }),
    own.mail(),
    out(own),
  ];
  const { results } = await batch(own, mails);
  const full = 'plan_send_limit_exceeded';
  assert.deepEqual(codes(results), ['accepted', 'accepted', 'accepted', full, 'accepted', full]);
  const [plan] = await service.db.query('select used from plan_usage where instance_id = $1', [
    own.instance.id,
  ]);
  assert.deepEqual(plan, { used: 5 });
  assertProblem(await batch(own, [own.mail(), out(own)], { on_error: 'reject' }), full);
  const none = await openAccount(service, { settings: { subscription_status: 'inactive' } });
  assertProblem(await batch(none, [none.mail()]), 'subscription_inactive');
});

test('a mail that is refused later is given back to the plan', async () => {
  const own = await openAccount(service, { settings: { plan_send_limit: 10 } });
  const { results } = await batch(own, [
    out(own),
    out(own, { sender_email: 'nobody@example.com' }),
    out(own),
  ]);
  assert.deepEqual(codes(results), ['accepted', 'sender_not_found', 'accepted']);
  const [plan] = await service.db.query('select used from plan_usage where instance_id = $1', [
    own.instance.id,
  ]);
  assert.deepEqual(plan, { used: 2 });
});

test('the bandwidth takes the mails that fit, and tells the others when to come again', async () => {
  const settings = { bandwidth_bytes_per_second: 1_000, bandwidth_burst_bytes: 200_000 };
  const own = await openAccount(service, { settings });
  const html = 'x'.repeat(30_000);
  const [small, large, huge] = [own.mail(), own.mail({ html }), own.mail({ html: html.repeat(4) })];
  const { results } = await batch(own, [huge, large, large, large, large, small]);
  const late = 'rate_limit_exceeded';
  assert.deepEqual(codes(results), [
    'request_too_large',
    'accepted',
    'accepted',
    'accepted',
    late,
    'accepted',
  ]);
  assert.ok(results[4]?.error.retry_after_seconds > 1);
  const refused = await batch(own, [large, large], { on_error: 'reject' });
  assertProblem(refused, late);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
});

test('restrictions, consent, unsubscribes and large attachments drop mails of a batch one by one', async () => {
  const own = await openAccount(service, { settings: { attachment_limit_bytes: 10 } });
  await service.db.query(
    `insert into restrictions (instance_id, recipient, reason) values ($1, 'eva@example.com', 'manual')`,
    [own.instance.id],
  );
  const { results } = await batch(own, [
    out(own),
    out(own, { to: [{ email: 'eva@example.com' }, { email: 'leo@example.com' }] }),
    out(own, { attachments: [{ type: 'text/plain', filename: 'a', content: 'SGVsbG8gSGVsbG8gSGVsbG8=' }] }),
  ]);
  const reasons = await Promise.all(
    results.map(async ({ message_id = '' }) =>
      (await storedMails(service, message_id)).map(({ reason }) => reason),
    ),
  );
  assert.deepEqual(reasons, [[null], ['recipient_restricted', null], ['attachments_over_limit']]);
});

test('a key for the sandbox only, and templates, hold for each mail', async () => {
  const own = await openAccount(service);
  const key = { name: 'trial', scopes: ['mail:send'], ip_allowlist: [], sandbox_only: true };
  const { api_key } = await createApiKey(service.db, own.instance.id, { key, actor });
  const trial = await batch({ ...own, api_key }, [own.mail(), out(own)]);
  assert.deepEqual(codes(trial.results), ['accepted', 'sandbox_relay_restricted']);
  const template = { name: 'T', subject: 'Hello {{ name }}', source: '<p>{{ name }}</p>' };
  const { id } = await createTemplate(service.db, own.instance.id, { template, actor, renderer });
  const none = { subject: undefined, html: undefined };
  const of = (changes: Body): Body => own.mail({ ...none, template_id: id, test_mode: true, ...changes });
  const { results } = await batch(own, [
    of({ template_variables: { name: 'Ana' } }),
    of({ strict_variables: true }),
    of({ test_mode: false }),
  ]);
  assert.deepEqual(codes(results), ['accepted', 'validation_error', 'template_not_public']);
  assert.equal(results[1]?.error.errors[0].pointer, '/mails/1/template_variables');
  const [mail] = await storedMails(service, results[0]?.message_id ?? '');
  assert.equal(mail?.subject, 'Hello Ana');
});

test('mails of a batch that are larger than a transaction takes are refused from there on', async () => {
  const own = await openAccount(service, {
    settings: { bandwidth_bytes_per_second: 2 ** 40, bandwidth_burst_bytes: 2 ** 40 },
  });
  const template = { name: 'T', subject: 'Hello', source: `<p>${'x'.repeat(2_000_000)}</p>` };
  const { id } = await createTemplate(service.db, own.instance.id, { template, actor, renderer });
  const mail = own.mail({ subject: undefined, html: undefined, template_id: id, test_mode: true });
  const { results } = await batch(
    own,
    Array.from({ length: 40 }, () => mail),
  );
  const accepted = codes(results).filter((code) => code === 'accepted').length;
  assert.ok(accepted > 10 && accepted < 20, `${accepted} accepted`);
  assert.deepEqual([...new Set(codes(results).slice(accepted))], ['request_too_large']);
});

test('a batch under a key is answered once, its refusals included, on every node', async () => {
  const own = await openAccount(service);
  const mails = [own.mail(), own.mail({ subject: '' }), own.mail({ sender_email: 'nobody@example.com' })];
  const first = await batch(own, mails, { key: 'k' });
  assert.deepEqual(codes(first.results), ['accepted', 'validation_error', 'sender_not_found']);
  for (const base_url of [service.base_url, other.base_url]) {
    const again = await batch(own, mails, { key: 'k', base_url });
    assert.deepEqual([again.status, again.json], [200, first.json]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assertProblem(await batch(own, mails.slice(1), { key: 'k', base_url }), 'idempotency_key_reused');
  }
  const single = await own.api.post('/v1/mails/send', own.mail(), { 'idempotency-key': 'k' });
  assert.equal(single.headers.get('idempotent-replayed'), null, 'a key is of one operation');
  assert.equal(await countMessages(own), 2);
  const none = await batch(own, [own.mail({ subject: '' })], { key: 'none' });
  assert.deepEqual((await batch(own, [own.mail({ subject: '' })], { key: 'none' })).json, none.json);
});

test('two nodes send one of several batches with the same key', async () => {
  const own = await openAccount(service, { settings: { plan_send_limit: 10_000 } });
  for (let round = 0; round < 10; round += 1) {
    const mails = Array.from({ length: 20 }, () => out(own));
    const answers = await Promise.all(
      [service, other].map(async ({ base_url }) => await batch(own, mails, { key: `k${round}`, base_url })),
    );
    assert.deepEqual(answers[0]?.json, answers[1]?.json);
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 1);
  }
  assert.equal(await countMessages(own), 200);
  const [plan] = await service.db.query('select used from plan_usage where instance_id = $1', [
    own.instance.id,
  ]);
  assert.deepEqual(plan, { used: 200 });
});
