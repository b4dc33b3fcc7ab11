import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api } from '../../test/support/api.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createApiKey } from '../credentials/api-keys.ts';

let service: TestService;
let tenant: Tenant;
let api: Api;
before(async () => {
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: '127.0.0.1:9' } });
  tenant = await service.tenant();
  api = tenant.api;
});
after(async () => await service.stop());

async function keyFor(...scopes: string[]): Promise<Api> {
  const key = { name: 'some', scopes, ip_allowlist: [] };
  const actor = { kind: 'operator' } as const;
  const { api_key } = await createApiKey(service.db, tenant.instance.id, { key, actor });
  return createApi({ base_url: service.base_url, api_key, slug: tenant.instance.slug });
}

async function trailOf(kind: string, id: number): Promise<string[]> {
  const rows = await service.db.query<{ action: string; actor_kind: string }>(
    'select action, actor_kind from audit_events where instance_id = $1 and object_kind = $2 and object_id = $3 order by id',
    [tenant.instance.id, kind, id],
  );
  assert.ok(rows.every(({ actor_kind }) => actor_kind === 'api_key'));
  return rows.map(({ action }) => action);
}

test('a key registers a domain, rotates its key, revokes, reinstates and deletes it, and is in the audit log', async () => {
  const created = await api.post('/v1/domains', { domain: 'By-Key.example.com', external_id: 'shop/mail' });
  assert.equal(created.status, 201);
  const { id } = created.json;
  assert.equal(created.headers.get('location'), `/v1/domains/${id}`);
  assert.deepEqual([created.json.domain, created.json.external_id], ['by-key.example.com', 'shop/mail']);
  const act = async (verb: string) => (await api.post(`/v1/domains/${id}/${verb}`)).json;
  assert.equal((await act('rotate-dkim')).signing_selector, 's2');
  assert.equal((await act('revoke')).mx_status, 'revoked');
  assert.equal((await act('reinstate')).mx_status, 'pending');
  const renamed = await api.patch(`/v1/domains/${id}`, { external_id: 'shop/other' });
  assert.equal(renamed.json.external_id, 'shop/other');
  assert.equal((await api.delete(`/v1/domains/${id}`)).status, 204);
  assert.equal((await api.get(`/v1/domains/${id}`)).json.code, 'domain_not_found');
  const verbs = ['created', 'dkim_rotated', 'revoked', 'reinstated', 'updated', 'deleted'];
  assert.deepEqual(
    await trailOf('domain', id),
    verbs.map((verb) => `domain.${verb}`),
  );
});

test('an external id is given once, however many ask for it at once, and is free again with its domain', async () => {
  const asked = ['one', 'two', 'three'].map((name) => ({
    domain: `${name}.example.org`,
    external_id: 'only',
  }));
  const answers = await Promise.all(asked.map(async (body) => await api.post('/v1/domains', body)));
  const made = answers.find(({ status }) => status === 201)?.json;
  const refused = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map(({ status, json }) => [status, json.code, json.existing_id]),
    Array.from({ length: 2 }, () => [409, 'external_id_already_exists', made.id]),
  );
  const { data } = (await api.get('/v1/domains?external_id=only')).json;
  assert.deepEqual(
    data.map(({ id }: { id: number }) => id),
    [made.id],
  );
  const again = await api.post('/v1/domains', { domain: made.domain, external_id: 'only' });
  assert.equal(again.json.existing_id, made.id, 'told before the name, which is taken too');
  const other = await service.tenant();
  const theirs = await other.api.post('/v1/domains', { domain: 'theirs.example.org', external_id: 'only' });
  assert.equal(theirs.status, 201, 'another instance has names of its own');
  const sender = { name: 'x', email_address: `x@${tenant.instance.slug}.sandbox.test`, external_id: 'only' };
  assert.equal((await api.post('/v1/senders', sender)).status, 201, 'another kind has names of its own');
  await api.delete(`/v1/domains/${made.id}`);
  const next = await api.post('/v1/domains', { domain: 'four.example.org', external_id: 'only' });
  assert.equal(next.status, 201);
});

test('an external id has a bounded alphabet', async () => {
  for (const external_id of ['', 'a b', 'ñ', 'x'.repeat(129), "a'b", 'a%']) {
    const { status, json } = await api.post('/v1/domains', { domain: 'alphabet.example.org', external_id });
    assert.deepEqual([status, json.errors[0].pointer], [422, '/external_id'], external_id);
  }
});

test('a key creates, changes, replaces and deletes a sender', async () => {
  const wanted = { name: 'Acme', email_address: `hello@${tenant.instance.slug}.sandbox.test` };
  const { status, json: made } = await api.post('/v1/senders', { ...wanted, track_opens: false });
  assert.equal(status, 201);
  const path = `/v1/senders/${made.id}`;
  assert.equal((await api.patch(path, { stream: 'broadcast' })).json.stream, 'broadcast');
  const put = async (body: object) => await api.request('PUT', path, { body });
  const replaced = (await put({ ...wanted, name: 'Acme Ltd', external_id: 'hello' })).json;
  assert.partialDeepStrictEqual(replaced, {
    name: 'Acme Ltd',
    stream: 'transactional',
    track_opens: true,
    external_id: 'hello',
  });
  const kept = await put(replaced);
  assert.deepEqual([kept.status, kept.json], [200, replaced], 'what it answered can be put back');
  const moved = await put({ ...wanted, email_address: 'other@example.com' });
  assert.deepEqual([moved.status, moved.json.errors[0].pointer], [422, '/email_address']);
  assert.equal((await put({ email_address: wanted.email_address })).json.errors[0].pointer, '/name');
  assert.equal((await api.delete(path)).status, 204);
  assert.deepEqual(await trailOf('sender', made.id), [
    'sender.created',
    'sender.updated',
    'sender.updated',
    'sender.deleted',
  ]);
});

test('a sender cannot take the external id of another one by a change', async () => {
  const make = async (name: string) => {
    const email_address = `${name}@${tenant.instance.slug}.sandbox.test`;
    return (await api.post('/v1/senders', { name, email_address, external_id: name })).json.id;
  };
  const [first, second] = [await make('first'), await make('second')];
  const { status, json } = await api.patch(`/v1/senders/${second}`, { external_id: 'first' });
  assert.deepEqual([status, json.code, json.existing_id], [409, 'external_id_already_exists', first]);
});

test('a key without the scope changes nothing', async () => {
  const reader = await keyFor('domains:read', 'senders:read', 'mail:send');
  const { data } = (await api.get('/v1/senders')).json;
  const refused = [
    await reader.post('/v1/domains', { domain: 'refused.example.org' }),
    await reader.delete('/v1/domains/1'),
    await reader.post('/v1/domains/1/revoke'),
    await reader.post('/v1/senders', { name: 'x', email_address: 'x@example.com' }),
    await reader.request('PUT', `/v1/senders/${data[0].id}`, { body: data[0] }),
    await reader.patch(`/v1/senders/${data[0].id}`, { name: 'y' }),
    await reader.delete(`/v1/senders/${data[0].id}`),
  ];
  assert.ok(refused.every(({ json }) => json.code === 'forbidden'));
});

test('a disabled instance is closed to keys that manage it', async () => {
  const closed = await service.tenant();
  await service.db.query('update instances set is_enabled = false where id = $1', [closed.instance.id]);
  const { json } = await closed.api.post('/v1/domains', { domain: 'closed.example.org' });
  assert.equal(json.code, 'forbidden');
});

test('a domain is opened to every address with one of its senders, who cannot be deleted while it is', async () => {
  const made = (await api.post('/v1/domains', { domain: 'open.example.net' })).json;
  assert.deepEqual([made.any_sender, made.default_sender_id], [false, null]);
  await service.db.query(
    `update domains set mx_status = 'verified', spf_status = 'verified', dkim_status = 'verified', dmarc_status = 'verified'
     where id = $1`,
    [made.id],
  );
  const [one, other] = await Promise.all(
    ['one', 'other'].map(
      async (name) =>
        (await api.post('/v1/senders', { name, email_address: `${name}@open.example.net` })).json
          .id as number,
    ),
  );
  const path = `/v1/domains/${made.id}`;
  const sandbox = (await api.get('/v1/domains?domain=sandbox')).json.data[0];
  const stranger = (await api.get(`/v1/senders?domain_id=${sandbox.id}`)).json.data[0].id;
  for (const changes of [
    { any_sender: true },
    { any_sender: true, default_sender_id: null },
    { any_sender: true, default_sender_id: stranger },
    { default_sender_id: 987_654_321 },
  ]) {
    const { status, json } = await api.patch(path, changes);
    assert.deepEqual(
      [status, json.errors?.[0].pointer],
      [422, '/default_sender_id'],
      JSON.stringify(changes),
    );
  }
  const onSandbox = await api.patch(`/v1/domains/${sandbox.id}`, {
    any_sender: true,
    default_sender_id: stranger,
  });
  assert.equal(onSandbox.json.code, 'domain_is_sandbox');

  const opened = await api.patch(path, { any_sender: true, default_sender_id: one });
  assert.deepEqual([opened.json.any_sender, opened.json.default_sender_id], [true, one]);
  assert.equal((await api.patch(path, { default_sender_id: null })).status, 422);
  assert.equal((await api.delete(`/v1/senders/${one}`)).json.code, 'sender_is_default');
  assert.equal((await api.patch(path, { default_sender_id: other })).status, 200);
  assert.equal((await api.delete(`/v1/senders/${one}`)).status, 204);

  const { any_sender: _, ...closed } = (await api.get(path)).json;
  const replaced = await api.request('PUT', path, { body: closed });
  assert.deepEqual(
    [replaced.json.any_sender, replaced.json.default_sender_id],
    [false, other],
    'as in a creation',
  );
  assert.equal((await api.delete(`/v1/senders/${other}`)).status, 204);
  assert.equal((await api.get(path)).json.default_sender_id, null);
});
