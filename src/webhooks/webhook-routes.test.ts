import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn } from '../../test/support/panel-user.ts';
import type { Tenant } from '../../test/support/test-service.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { RootSecret } from '../base/secrets.ts';
import { createWebhook } from './change-webhook.ts';
import { createEndpoint, startWebhookBed, type WebhookBed } from './webhook-bed.fixture.ts';

const clock = createMovableClock(new Date());
let bed: WebhookBed;
let tenant: Tenant;
before(async () => {
  bed = await startWebhookBed({ clock });
  tenant = await bed.service.tenant();
});
after(async () => await bed.stop());

const url = 'http://127.0.0.1:9/hook';
const root = new RootSecret('a root secret for tests, and for tests alone');
const codesOf = ({ json }: { json: { errors: { pointer: string; code: string }[] } }) =>
  json.errors.map(({ pointer, code }) => `${pointer} ${code}`);

test('a webhook is created with its secret, which is shown this once', async () => {
  const wanted = { name: 'Orders', url, events: ['mail.sent', 'mail.bounced'] };
  const created = await tenant.api.post('/v1/webhooks', wanted);
  assert.equal(created.status, 201);
  const { id, secret, public_key, basic_auth, ...rest } = created.json;
  assert.deepEqual([public_key, basic_auth], [null, null]);
  assert.equal(created.headers.get('location'), `/v1/webhooks/${id}`);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const webhook = {
    external_id: null,
    ...wanted,
    format: 'chasqui',
    header_names: [],
    failing_since: null,
    is_active: true,
    last_success_at: null,
    last_failure_at: null,
    last_status_code: null,
    consecutive_failures: 0,
    auto_paused_at: null,
    previous_secret_expires_at: null,
    created_at: clock.now().toISOString(),
    updated_at: clock.now().toISOString(),
  };
  assert.deepEqual(rest, webhook);
  const read = await tenant.api.get(`/v1/webhooks/${id}`);
  assert.deepEqual(read.json, { id, ...webhook });
  const patched = await tenant.api.patch(`/v1/webhooks/${id}`, { secret: 'whsec_mine' });
  assert.deepEqual(patched.json, { id, ...webhook });
});

test('events and is_active may be left out: all types, and active', async () => {
  const { json } = await tenant.api.post('/v1/webhooks', { name: 'All', url });
  assert.equal(json.events, null);
  assert.equal(json.is_active, true);
  const paused = await tenant.api.post('/v1/webhooks', { name: 'Off', url, events: null, is_active: false });
  assert.deepEqual(
    [paused.json.events, paused.json.is_active, paused.json.auto_paused_at],
    [null, false, null],
  );
});

test('webhooks are listed in the order of creation, page by page', async () => {
  const own = await bed.service.tenant();
  const ids: number[] = [];
  for (const name of ['c', 'a', 'b']) ids.push((await createEndpoint(own, url, { name })).id);
  await own.api.patch(`/v1/webhooks/${ids[0]}`, { name: 'z' });
  const all = await own.api.get('/v1/webhooks');
  assert.deepEqual(
    all.json.data.map((each: { id: number }) => each.id),
    ids,
  );
  assert.ok(!all.text.includes('whsec_'));
  const second = await own.api.get('/v1/webhooks?page=2&page_size=2');
  assert.deepEqual(
    second.json.data.map((each: { id: number }) => each.id),
    [ids[2]],
  );
  assert.equal(second.json.pagination.has_more, false);
});

test('all violations of a new webhook are reported at once', async () => {
  const empty = await tenant.api.post('/v1/webhooks', {});
  assert.equal(empty.status, 422);
  assert.deepEqual(codesOf(empty).toSorted(), ['/name missing', '/url missing']);
  const wrong = { name: '', url: 'ftp://example.com/', events: ['mail.lost'], is_active: null };
  const { status, ...answer } = await tenant.api.post('/v1/webhooks', wrong);
  assert.equal(status, 422);
  const codes = codesOf(answer);
  assert.ok(codes.includes('/url webhook_url_insecure'), codes.join());
  assert.ok(codes.includes('/events/0 enum'), codes.join());
  assert.ok(
    codes.some((code) => code.startsWith('/name ')) && codes.some((code) => code.startsWith('/is_active ')),
  );
  assert.equal((await tenant.api.post('/v1/webhooks', { name: 'a'.repeat(256), url })).status, 422);
  assert.equal((await tenant.api.post('/v1/webhooks', { name: 'a'.repeat(255), url })).status, 201);
  assert.equal((await tenant.api.post('/v1/webhooks', { name: 'a', url, events: [] })).status, 422);
});

test('a change keeps what it does not name, and null is allowed only for events', async () => {
  const { id } = await createEndpoint(tenant, url, { events: ['mail.sent'] });
  const path = `/v1/webhooks/${id}`;
  for (const field of ['name', 'url', 'is_active']) {
    const answer = await tenant.api.patch(path, { [field]: null });
    assert.equal(answer.status, 422, field);
    assert.match(codesOf(answer)[0] ?? '', new RegExp(`^/${field} `));
  }
  clock.advance(1000);
  const named = await tenant.api.patch(path, { name: 'Renamed' });
  assert.deepEqual([named.json.name, named.json.url, named.json.events], ['Renamed', url, ['mail.sent']]);
  assert.equal(named.json.updated_at, clock.now().toISOString());
  const replaced = await tenant.api.patch(path, { events: ['mail.clicked', 'mail.opened', 'mail.clicked'] });
  assert.deepEqual(replaced.json.events, ['mail.clicked', 'mail.opened']);
  const all = await tenant.api.patch(path, { events: null });
  assert.equal(all.json.events, null);
});

test('a change that changes nothing resets nothing, not even updated_at', async () => {
  const { id } = await createEndpoint(tenant, url);
  const path = `/v1/webhooks/${id}`;
  await bed.service.db.query(
    'update webhooks set consecutive_failures = 7, failing_since = $2 where id = $1',
    [id, clock.now()],
  );
  const before_ = (await tenant.api.get(path)).json;
  clock.advance(1000);
  for (const changes of [{}, { is_active: true }, { url }, { url, name: before_.name, events: null }]) {
    const answer = await tenant.api.patch(path, changes);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, before_);
  }
  const spelled = await tenant.api.patch(path, { url: url.replace('http://', 'HTTP://') });
  assert.equal(spelled.json.consecutive_failures, 7, 'another spelling is the same URL');
});

test('another URL clears the failures, keeps the secret, and leaves a paused webhook paused', async () => {
  const { id } = await createEndpoint(tenant, url);
  const path = `/v1/webhooks/${id}`;
  const secretOf = async () =>
    (await bed.service.db.query<{ secret: Buffer }>('select secret from webhooks where id = $1', [id]))[0]
      ?.secret;
  await bed.service.db.query(
    `update webhooks set consecutive_failures = 20, is_active = false, paused_at = $2, auto_paused_at = $2,
       failing_since = $2 where id = $1`,
    [id, clock.now()],
  );
  const secret = await secretOf();
  const moved = await tenant.api.patch(path, { url: `${url}/elsewhere` });
  assert.equal(moved.json.consecutive_failures, 0);
  assert.equal(moved.json.is_active, false);
  assert.equal(moved.json.auto_paused_at, clock.now().toISOString());
  assert.deepEqual(await secretOf(), secret);
  const again = await tenant.api.patch(path, { is_active: false });
  assert.equal(again.json.auto_paused_at, clock.now().toISOString(), 'it was paused already');
  await bed.service.db.query('update webhooks set consecutive_failures = 3 where id = $1', [id]);
  const resumed = await tenant.api.patch(path, { is_active: true });
  assert.deepEqual(
    [resumed.json.is_active, resumed.json.consecutive_failures, resumed.json.auto_paused_at],
    [true, 0, null],
  );
});

test('a rotation returns a new secret and when the old one expires', async () => {
  const { id, secret } = await createEndpoint(tenant, url);
  const rotated = await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`);
  assert.equal(rotated.status, 200);
  assert.match(rotated.json.secret, /^whsec_/);
  assert.notEqual(rotated.json.secret, secret);
  const until = new Date(clock.now().getTime() + 24 * 3_600_000).toISOString();
  assert.equal(rotated.json.previous_secret_expires_at, until);
  assert.equal((await tenant.api.get(`/v1/webhooks/${id}`)).json.previous_secret_expires_at, until);
  clock.advance(24 * 3_600_000);
  assert.equal((await tenant.api.get(`/v1/webhooks/${id}`)).json.previous_secret_expires_at, null);
});

test('secrets are unreadable in the database without the root secret', async () => {
  const { id, secret } = await createEndpoint(tenant, url);
  const [row] = await bed.service.db.query<{ secret: Buffer }>('select secret from webhooks where id = $1', [
    id,
  ]);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  assert.ok(row && !row.secret.includes(key));
});

test('a deleted webhook is gone', async () => {
  const { id } = await createEndpoint(tenant, url);
  const answer = await tenant.api.delete(`/v1/webhooks/${id}`);
  assert.deepEqual([answer.status, answer.text, answer.headers.get('content-length')], [204, '', null]);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
  ] as const) {
    const gone = await tenant.api.request(
      method,
      `/v1/webhooks/${id}${path}`,
      method === 'PATCH' ? { body: {} } : {},
    );
    assert.deepEqual([gone.status, gone.json.code], [404, 'webhook_not_found'], `${method} ${path}`);
  }
});

test('an instance has at most a hundred webhooks; deleting one allows another', async () => {
  const own = await bed.service.tenant();
  const { id } = await createEndpoint(own, url);
  await bed.service.db.query(
    `insert into webhooks (instance_id, name, url, is_active, active_since, secret, counted_since, created_at, updated_at)
     select instance_id, name, url, is_active, active_since, secret, counted_since, created_at, updated_at
     from webhooks, generate_series(1, 98) where id = $1`,
    [id],
  );
  const more = { name: 'more', url };
  const { second } = await bed.service.db.transaction(async (tx) => {
    const act = { webhook: more, root, actor: { kind: 'operator' }, now: clock.now() } as const;
    await createWebhook(tx, own.instance.id, act);
    const answer = own.api.post('/v1/webhooks', more);
    await waitForLocks(bed.service.db);
    return { second: answer };
  });
  const refused = await second;
  assert.deepEqual([refused.status, refused.json.code], [409, 'webhook_limit_reached'], 'nobody slips in');
  await own.api.delete(`/v1/webhooks/${id}`);
  assert.equal((await own.api.post('/v1/webhooks', more)).status, 201);
});

test('reading and writing are scopes of their own', async () => {
  const reader = await bed.service.tenant({ scopes: ['webhooks:read'] });
  const writer = await bed.service.tenant({ scopes: ['webhooks:write'] });
  assert.equal((await reader.api.get('/v1/webhooks')).status, 200);
  assert.equal((await reader.api.post('/v1/webhooks', { name: 'a', url })).status, 403);
  const { id } = await createEndpoint(writer, url);
  assert.equal((await writer.api.get(`/v1/webhooks/${id}`)).status, 403);
  assert.equal((await writer.api.delete(`/v1/webhooks/${id}`)).status, 204);
});

test('the panel has the same operations by role, and every change is audited', async () => {
  const own = await bed.service.tenant();
  const developer = await signIn(bed.service, own, 'developer');
  const viewer = await signIn(bed.service, own, 'viewer');
  const created = await developer.post('/v1/private/webhooks', { name: 'Panel', url });
  assert.equal(created.status, 201);
  const { id } = created.json;
  assert.equal(created.headers.get('location'), `/v1/private/webhooks/${id}`);
  assert.equal((await viewer.get(`/v1/private/webhooks/${id}`)).json.name, 'Panel');
  assert.equal((await viewer.patch(`/v1/private/webhooks/${id}`, { name: 'x' })).status, 403);
  await developer.patch(`/v1/private/webhooks/${id}`, { name: 'Renamed' });
  await developer.post(`/v1/private/webhooks/${id}/rotate-secret`);
  await developer.delete(`/v1/private/webhooks/${id}`);
  const trail = await bed.service.db.query<{ action: string; actor_kind: string; details: unknown }>(
    `select action, actor_kind, details from audit_events where instance_id = $1 and object_kind = 'webhook' order by id`,
    [own.instance.id],
  );
  assert.deepEqual(
    trail.map(({ action, actor_kind }) => `${actor_kind} ${action}`),
    ['created', 'updated', 'secret_rotated', 'deleted'].map((verb) => `user webhook.${verb}`),
  );
  assert.ok(!JSON.stringify(trail).includes('whsec_'));
});
