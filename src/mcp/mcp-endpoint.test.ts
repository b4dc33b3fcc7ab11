import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { keyFor, mcpCaller, type McpCaller } from './mcp-caller.fixture.ts';

let service: TestService;
let tenant: Tenant;
let agent: McpCaller;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [tenant.instance.id]);
  agent = mcpCaller(service, { api_key: tenant.api_key, slug: tenant.instance.slug });
});
after(async () => await service.stop());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function codeOf(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

test('only POST is taken', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(agent.url, { method, headers: agent.headers });
    assert.equal(response.headers.get('allow'), 'POST');
    assert.deepEqual(await codeOf(response), [405, 'method_not_allowed']);
  }
});

test('rejects a call without a valid key, and says how to authenticate', async () => {
  for (const headers of [
    { authorization: '' },
    { authorization: 'Bearer chq.aaaaaaaaaaaaaaaa.nothing' },
    { 'x-instance-slug': 'other' },
  ]) {
    const response = await agent.post(ping, headers);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    assert.deepEqual([response.status, code], [401, 'unauthorized']);
    assert.match(detail, /takes an API key and has no OAuth.*X-Instance-Slug. can be left out/);
  }
});

test('a key without a slug is enough', async () => {
  const { authorization = '' } = agent.headers;
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify(ping);
  const response = await fetch(agent.url, { method: 'POST', headers, body });
  assert.equal(response.status, 200, await response.text());
});

test('pages of strangers are refused, our own are not', async () => {
  for (const origin of ['https://evil.example', 'null', `${service.base_url}.evil.example`]) {
    assert.deepEqual(await codeOf(await agent.post(ping, { origin })), [403, 'forbidden']);
  }
  const own = await agent.post(ping, { origin: service.base_url });
  assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'no-store']);
});

test('rejects what is not a message', async () => {
  for (const body of ['', '[]', '"ping"', 'null', '{"jsonrpc":', JSON.stringify([ping, ping])]) {
    assert.deepEqual(await codeOf(await agent.post(body)), [400, 'bad_request'], body);
  }
  for (const body of [
    {},
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
  ]) {
    const response = await agent.post(body);
    const { error } = (await response.json()) as { error: { code: number } };
    assert.deepEqual([response.status, error.code], [400, -32600], JSON.stringify(body));
  }
  const unknown = await agent.post({ ...ping, method: 'mails/eat' });
  assert.equal(((await unknown.json()) as { error: { code: number } }).error.code, -32601);
  assert.equal((await agent.post(ping, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await agent.post(ping, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
});

test('a request that is too large or too complex is refused', async () => {
  const large = await agent.post({ ...ping, params: { _meta: { filler: 'x'.repeat(21 * 1024 * 1024) } } });
  assert.deepEqual(await codeOf(large), [413, 'request_too_large']);
  const bomb = await fetch(agent.url, {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(60 * 1024 * 1024, ' ')),
  });
  assert.equal(bomb.status, 413);
  const many = { ...ping, params: { _meta: { filler: Array.from({ length: 100_000 }, () => 1) } } };
  assert.deepEqual(await codeOf(await agent.post(many)), [400, 'bad_request']);
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  assert.equal((await agent.post(deep)).status, 400);
});

test('a notification gets no answer', async () => {
  const response = await agent.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.deepEqual([response.status, await response.text()], [202, '']);
  const answer = await agent.post({ jsonrpc: '2.0', id: 7, result: {} });
  assert.deepEqual([answer.status, await answer.text()], [202, '']);
});

test('subscriptions are refused: no request stays open', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: meta },
  };
  const response = await agent.post(body, {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  });
  assert.match(await response.text(), /"error"/);
});

test('a key sees the tools of its scopes, and no other can be called', async () => {
  const reader = await keyFor(service, tenant, { scopes: ['senders:read', 'domains:read'] });
  const { tools } = await reader.request('tools/list');
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['list_domains', 'get_domain', 'list_senders'],
  );
  assert.equal((await reader.call('list_senders')).isError, undefined);
  assert.equal((await reader.refusal('send_mail', {})).code, 'forbidden');
  const formOnly = await keyFor(service, tenant, { scopes: ['form:read'] });
  assert.deepEqual((await formOnly.request('tools/list')).tools, []);
});

test('an empty value of a query parameter is as if it was left out, as over HTTP', async () => {
  const all = await agent.call('list_mails', {});
  const empty = await agent.call('list_mails', { recipient: '', status: '', subject: '', page: '' });
  assert.deepEqual(empty, all);
});

test('a status is given as its name, its code or its code as text, and answers name it', async () => {
  const found = async (status: unknown): Promise<unknown> =>
    (await agent.call('list_mails', { status })).structuredContent.data;
  await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  const [mail] = (await found('queued')) as { status: number; status_name: string }[];
  assert.deepEqual([mail?.status, mail?.status_name], [2, 'queued']);
  assert.deepEqual(await found(2), await found('queued'));
  assert.deepEqual(await found('2'), await found('queued'));
  assert.deepEqual(await found('bounced'), []);
});

test('everything wrong with a call is told at once, by pointers into its arguments', async () => {
  const given = { page_size: 500, status: 'delivered', recipent: 'ana@example.com' };
  const problem = await agent.refusal('list_mails', given);
  assert.equal(problem.status, 422);
  assert.deepEqual(
    problem.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`).toSorted(),
    ['/page_size less_than_equal', '/recipent extra_forbidden', '/status string_pattern_mismatch'],
  );
  assert.match(JSON.stringify(problem.errors), /nearest known name is 'recipient'/);
  const pairs = await agent.refusal('resolve_consent', {
    contacts: [{ contact: 'ana@example.com' }],
    purpose_id: 1,
  });
  assert.deepEqual([pairs.errors[0].pointer, pairs.errors[0].code], ['/contacts/0/contact_type', 'missing']);
  // Rules beyond the schema are told with those of the schema.
  const send = await agent.refusal('send_mail', {
    sender_email: 'nobody',
    to: [{ email: 'ana@example.com' }],
    labels: [],
  });
  assert.deepEqual(
    send.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`).toSorted(),
    ['/html missing', '/labels extra_forbidden', '/sender_email value_error.email', '/subject missing'],
  );
});

test('text that cannot be stored is refused where it stands', async () => {
  for (const name of ['a\0b', '\ud800']) {
    const problem = await agent.refusal('list_senders', { name });
    assert.deepEqual([problem.code, problem.errors.length], ['validation_error', 1]);
    assert.deepEqual([problem.errors[0].pointer, problem.errors[0].code], ['/name', 'string_unicode']);
  }
});

test('a call with the key of an earlier one gets its answer, and one that asks for something else is refused', async () => {
  const mail = {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
    idempotency_key: 'welcome-ana',
  };
  const first = await agent.call('send_mail', mail);
  const again = await agent.call('send_mail', mail);
  assert.deepEqual(again.structuredContent, first.structuredContent);
  assert.equal(
    (await agent.refusal('send_mail', { ...mail, subject: 'Bye' })).code,
    'idempotency_key_reused',
  );
  const refused = await agent.refusal('send_mail', { ...mail, idempotency_key: 'two words' });
  assert.deepEqual([refused.code, refused.errors[0].pointer], ['validation_error', '/idempotency_key']);
  const { data } = (await agent.call('list_mails', { msg_id: first.structuredContent.message_id }))
    .structuredContent;
  assert.equal(data.length, 1);
});

test('resources of another tenant are not found', async () => {
  const other = await service.tenant();
  const stranger = mcpCaller(service, { api_key: other.api_key, slug: other.instance.slug });
  const mail = {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  };
  const { structuredContent } = await agent.call('send_mail', mail);
  const { data } = (await agent.call('list_mails', { msg_id: structuredContent.message_id }))
    .structuredContent;
  const { mail_id } = data[0];
  assert.equal((await agent.call('get_mail', { mail_id })).structuredContent.mail_id, mail_id);
  const domain = (await agent.call('list_domains')).structuredContent.data[0].id;
  const codes = await Promise.all([
    stranger.refusal('get_mail', { mail_id }),
    stranger.refusal('get_mail_logs', { mail_id }),
    stranger.refusal('get_domain', { id: domain }),
    stranger.refusal('validate_domain', { id: domain }),
    stranger.refusal('send_mail', mail),
  ]);
  assert.deepEqual(
    codes.map(({ code }) => code),
    ['mail_not_found', 'mail_not_found', 'domain_not_found', 'domain_not_found', 'sender_not_found'],
  );
  const listed = await stranger.call('list_mails', { mail_id });
  assert.deepEqual(listed.structuredContent.data, []);
});

test('a key for the sandbox only cannot send outside of it', async () => {
  const trial = await keyFor(service, tenant, { scopes: ['mail:send'], sandbox_only: true });
  const mail = (email: string): object => ({
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email }],
    subject: 'Hello',
    html: '<p>Hello</p>',
    test_mode: true,
  });
  assert.equal((await trial.call('send_mail', mail('delivered@sandbox.test'))).isError, undefined);
  const refused = await trial.refusal('send_mail', mail('ana@example.com'));
  assert.deepEqual([refused.status, refused.code], [409, 'sandbox_relay_restricted']);
  assert.match(refused.detail, /sandbox recipients only/);
});

test('audit log and evidence record the changes of an agent as made over MCP', async () => {
  const account = await openConsentAccount(service);
  const { instance, api_key } = account;
  const caller = mcpCaller(service, { api_key, slug: instance.slug });
  const sent = await caller.call('send_mail', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  const domain = (await caller.call('list_domains')).structuredContent.data[0].id;
  await caller.call('validate_domain', { id: domain });
  const rule = { contact_type: 'email_address', contact: 'ana@example.com', purpose_id: account.marketing };
  const recorded = await caller.call('record_consent', {
    term_id: account.first.id,
    method: 'single_opt_in',
    rules: [{ ...rule, action: 'allow' }],
  });
  await caller.refusal('send_mail', {});
  const rows = await service.db.query(
    `select action, object_kind, object_id, actor_kind, actor_id, host(address) as address, details
     from audit_events where instance_id = $1 and actor_kind = 'api_key' order by id`,
    [instance.id],
  );
  const by = { actor_kind: 'api_key', actor_id: api_key.split('.')[1], address: '127.0.0.1' };
  const note = (tool: string, action: string, object_id: unknown) => ({
    ...by,
    action,
    object_kind: action.split('.')[0],
    object_id: String(object_id),
    details: { tool, via: 'mcp' },
  });
  assert.deepEqual(rows, [
    note('send_mail', 'message.accepted', sent.structuredContent.message_id),
    note('validate_domain', 'domain.validated', domain),
    note('record_consent', 'consent_event.recorded', recorded.structuredContent.id),
  ]);
  const [event] = await service.db.query<{ evidence: Record<string, string> }>(
    'select evidence from consent_events where id = $1',
    [recorded.structuredContent.id],
  );
  assert.equal(event?.evidence['via'], 'mcp');
});

test('a call that was done succeeds although the audit log could not be written', async () => {
  const { db } = service;
  await db.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'as told'; end $$`,
  );
  await db.query(
    `create trigger fail before insert on audit_events for each row when (new.action = 'message.accepted')
     execute function fail()`,
  );
  const sent = await agent.call('send_mail', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  await db.query('drop function fail cascade');
  assert.equal(sent.isError, undefined);
  assert.ok(service.logged.some((line) => line.includes('a call over MCP is not in the audit log')));
});

test('fifty calls at once are answered, each with its own', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => index + 1);
  const answers = await Promise.all(
    ids.map(async (page_size) => await agent.call('list_senders', { page_size })),
  );
  assert.deepEqual(
    answers.map(({ structuredContent }) => structuredContent.pagination.page_size),
    ids,
  );
});

test('calls count toward the rate of the key', async () => {
  const hurried = await service.tenant();
  await service.db.query('update instances set requests_per_second = 1, requests_burst = 3 where id = $1', [
    hurried.instance.id,
  ]);
  const caller = mcpCaller(service, { api_key: hurried.api_key, slug: hurried.instance.slug });
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await caller.post(listing)).status),
  );
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join(' '));
});

test('a call that comes too early is told when to come again', async () => {
  const { api_key, instance } = await service.tenant();
  await service.db.query(
    'update instances set bandwidth_burst_bytes = 30000, bandwidth_bytes_per_second = 100 where id = $1',
    [instance.id],
  );
  const caller = mcpCaller(service, { api_key, slug: instance.slug });
  const mail = {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: 'x'.repeat(20_000),
    text: 'Hello',
  };
  assert.equal((await caller.call('send_mail', mail)).isError, undefined);
  const refused = await caller.refusal('send_mail', mail);
  assert.deepEqual([refused.status, refused.code], [429, 'rate_limit_exceeded']);
  assert.ok(refused.retry_after_seconds > 1, JSON.stringify(refused));
});

test('calls are counted by tool and outcome', async () => {
  await agent.call('list_webhooks');
  await agent.refusal('get_domain', { id: 999_999_999 });
  const metrics = await (await fetch(`${service.metrics_url}/metrics`)).text();
  assert.match(metrics, /chasqui_mcp_calls_total\{tool="list_webhooks",outcome="ok"\} 1/);
  assert.match(metrics, /chasqui_mcp_calls_total\{tool="get_domain",outcome="domain_not_found"\} \d/);
});
