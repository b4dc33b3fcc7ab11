import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Database } from '../base/db/database.ts';
import { createNotifications } from '../base/db/notifications.ts';
import { createSender, deleteSender, updateSender } from './change-sender.ts';
import { createSenderDirectory } from './sender-directory.ts';
import type { NewSender, Sender } from './sender-schemas.ts';

const actor = { kind: 'operator' } as const;
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const sandbox = (): string => `${tenant.instance.slug}.sandbox.test`;
const create = async (sender: NewSender): Promise<Sender> =>
  await service.db.transaction(async (tx) => await createSender(tx, tenant.instance.id, { sender, actor }));

test('an instance starts with one sender on its sandbox domain', async () => {
  const { json } = await tenant.api.get('/v1/senders');
  assert.equal(json.data.length, 1);
  assert.equal(json.data[0].email_address, `test@${sandbox()}`);
  assert.deepEqual((await tenant.api.get(`/v1/senders/${json.data[0].id}`)).json, json.data[0]);
});

test('a sender is made on a verified domain of its own instance only', async () => {
  await service.db.query(
    "insert into domains (instance_id, domain, ownership_token) values ($1, 'pending.test', $2)",
    [tenant.instance.id, 'a'.repeat(26)],
  );
  const on = (domain: string) => ({ name: 'A', email_address: `a@${domain}` });
  await assert.rejects(create(on('pending.test')), { code: 'domain_not_verified' });
  await assert.rejects(create(on('unknown.test')), { code: 'domain_not_found' });
  const other = await service.tenant();
  await assert.rejects(create(on(`${other.instance.slug}.sandbox.test`)), { code: 'domain_not_found' });
  assert.equal((await create(on(sandbox()))).stream, 'transactional');
});

test('an address is taken once, in any case, and free again after deletion', async () => {
  const sender = await create({ name: 'B', email_address: `Bee@${sandbox()}` });
  await assert.rejects(create({ name: 'B2', email_address: `bee@${sandbox().toUpperCase()}` }), {
    constraint: 'senders_email_unique',
  });
  await service.db.transaction(
    async (tx) => await deleteSender(tx, tenant.instance.id, { id: sender.id, actor }),
  );
  assert.equal((await tenant.api.get(`/v1/senders/${sender.id}`)).json.code, 'sender_not_found');
  assert.notEqual((await create({ name: 'B', email_address: `bee@${sandbox()}` })).id, sender.id);
});

test('requiring consent needs a purpose of the instance', async () => {
  const codeOf = async (more: Partial<NewSender>) =>
    await create({ name: 'C', email_address: `c@${sandbox()}`, requires_consent: true, ...more }).then(
      () => undefined,
      (error: { facts: { errors: { pointer: string; code: string }[] } }) => error.facts.errors[0],
    );
  assert.equal((await codeOf({}))?.code, 'missing');
  const other = await service.tenant();
  const [foreign] = await service.db.query<{ id: number }>(
    'select id from consent_purposes where instance_id = $1',
    [other.instance.id],
  );
  assert.equal((await codeOf({ consent_purpose_id: foreign?.id ?? 0 }))?.code, 'value_error.purpose');
  const [own] = await service.db.query<{ id: number }>(
    'select id from consent_purposes where instance_id = $1',
    [tenant.instance.id],
  );
  assert.equal(await codeOf({ consent_purpose_id: own?.id ?? 0 }), undefined);
});

test('a change keeps what it does not name', async () => {
  const sender = await create({ name: 'D', email_address: `d@${sandbox()}`, stream: 'broadcast' });
  const changed = await service.db.transaction(
    async (tx) =>
      await updateSender(tx, tenant.instance.id, { id: sender.id, changes: { name: 'Dee' }, actor }),
  );
  assert.deepEqual({ ...changed, updated_at: null }, { ...sender, name: 'Dee', updated_at: null });
});

test('mail of a new sender is tracked, until either switch is turned', async () => {
  const tracked = await create({ name: 'E', email_address: `e@${sandbox()}` });
  assert.deepEqual([tracked.track_opens, tracked.track_clicks], [true, true]);
  const untracked = await create({ name: 'E', email_address: `e2@${sandbox()}`, track_clicks: false });
  assert.deepEqual([untracked.track_opens, untracked.track_clicks], [true, false]);
  const changes = { track_opens: false };
  const changed = await service.db.transaction(
    async (tx) => await updateSender(tx, tenant.instance.id, { id: untracked.id, changes, actor }),
  );
  assert.deepEqual([changed.track_opens, changed.track_clicks], [false, false]);
  assert.equal((await tenant.api.get(`/v1/senders/${changed.id}`)).json.track_opens, false);
});

test('senders are found by part of name and address, % and _ meaning themselves', async () => {
  const own = await service.tenant();
  const domain = `${own.instance.slug}.sandbox.test`;
  for (const name of ['Alpha', 'alphabet', '100% Beta', 'snake_case']) {
    const email_address = `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}@${domain}`;
    await service.db.transaction(
      async (tx) => await createSender(tx, own.instance.id, { sender: { name, email_address }, actor }),
    );
  }
  const namesOf = (json: { data: { name: string }[] }) => json.data.map(({ name }) => name);
  const found = async (query: string) => namesOf((await own.api.get(`/v1/senders?${query}`)).json);
  assert.deepEqual(await found('name=ALPHA'), ['Alpha', 'alphabet']);
  assert.deepEqual(await found('name=%25'), ['100% Beta']);
  assert.deepEqual(await found('name=_'), ['snake_case']);
  assert.deepEqual(await found('email=snakecase%40'), ['snake_case']);
  const search = await own.api.get('/v1/senders/search/names?q=alp&page_size=1');
  assert.deepEqual(namesOf(search.json), ['Alpha']);
  assert.equal(search.json.pagination.has_more, true);
  assert.deepEqual(Object.keys(search.json.data[0]), ['id', 'name']);
  const emails = await own.api.get(`/v1/senders/search/emails?q=${encodeURIComponent('alpha')}`);
  assert.deepEqual(
    emails.json.data.map(({ email_address }: { email_address: string }) => email_address),
    [`alpha@${domain}`, `alphabet@${domain}`],
  );
});

test('the directory for sending follows changes at once', async () => {
  const notifications = createNotifications(service.database.connection, () => undefined);
  const directory = createSenderDirectory(service.db, notifications);
  await notifications.start();
  const email = `test@${sandbox()}`;
  const before_ = await directory.find(tenant.instance.id, email.toUpperCase());
  assert.equal(before_?.is_verified, true);
  assert.equal(await directory.find(tenant.instance.id + 1_000_000, email), undefined);
  await service.db.query("update domains set mx_status = 'failed' where id = $1", [before_?.domain_id]);
  await waitFor(async () => (await directory.find(tenant.instance.id, email))?.is_verified === false, {
    what: 'the directory to notice',
  });
  await notifications.stop();
});

test('addresses of an open domain cost no query each, however many there are', async () => {
  const { connection } = service.database;
  const db = new Database({ connection, pool_size: 1, pipelines: 1, on_error: () => undefined });
  const notifications = createNotifications(connection, () => undefined);
  const directory = createSenderDirectory(db, notifications);
  await service.db.query("update domains set mx_status = 'verified' where domain = $1", [sandbox()]);
  const sender = await create({ name: 'Open', email_address: `Open@${sandbox()}`, stream: 'broadcast' });
  const { id: instance_id } = tenant.instance;
  await service.db.query('update domains set any_sender = true, default_sender_id = $2 where id = $1', [
    sender.domain_id,
    sender.id,
  ]);
  try {
    const streamOf = async (local: string) =>
      (await directory.find(instance_id, `${local}@${sandbox()}`))?.stream;
    assert.equal(await streamOf('first'), 'broadcast');
    assert.equal(await streamOf('TEST'), 'transactional');
    const sent = db.round_trips;
    for (let index = 0; index < 100; index += 1) assert.equal(await streamOf(`n${index}`), 'broadcast');
    assert.equal(await streamOf('test'), 'transactional');
    assert.equal(db.round_trips, sent);
  } finally {
    await db.end();
    await service.db.query('update domains set any_sender = false, default_sender_id = null where id = $1', [
      sender.domain_id,
    ]);
  }
});
