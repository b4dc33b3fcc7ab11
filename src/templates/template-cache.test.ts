import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { holdProcessTime } from '../../test/support/hold-process-time.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Database } from '../base/db/database.ts';
import { createNotifications, type Notifications } from '../base/db/notifications.ts';
import { renderTemplate } from './render-template.ts';
import { createTemplateCache, type TemplateCache } from './template-cache.ts';

const path = '/v1/private/mail-templates';
const welcome = { name: 'Welcome', subject: 'Hi', source: '<p>{{ recipient.email }}</p>' };

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
let db: Database;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
  const { connection } = service.database;
  db = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await service.stop();
});

/** As on another node: it learns of changes only through the database. */
async function withNode(work: (cache: TemplateCache) => Promise<void>): Promise<void> {
  const notifications = createNotifications(service.database.connection, () => undefined);
  const cache = createTemplateCache(db, notifications);
  await notifications.start();
  try {
    await work(cache);
  } finally {
    await notifications.stop();
  }
}

/** Notifications that never arrive, but for gaps that the test makes. */
function silence(): Notifications & { gap(): void } {
  const listeners: (() => void)[] = [];
  return {
    on: () => undefined,
    onGap: (listener) => void listeners.push(listener),
    start: async () => undefined,
    stop: async () => undefined,
    gap: () => listeners.forEach((listener) => listener()),
  };
}

test('a template in use costs no query, and neither does one that is not there', async () => {
  const cache = createTemplateCache(db, silence());
  const { id } = (await developer.post(path, welcome)).json;
  for (const wanted of [id, 987_654]) {
    await cache.find(tenant.instance.id, wanted);
    const sent = db.round_trips;
    const found = await Promise.all([1, 2, 3].map(async () => await cache.find(tenant.instance.id, wanted)));
    assert.equal(db.round_trips, sent);
    assert.equal(found[0]?.id, wanted === id ? id : undefined);
  }
});

test('a cached template has what sending needs, and is rendered as saved', async () => {
  await withNode(async (cache) => {
    const { id } = (await developer.post(path, welcome)).json;
    const found = await cache.find(tenant.instance.id, id);
    assert.ok(found);
    assert.deepEqual([found.is_published, found.subject, found.text], [false, 'Hi', null]);
    const rendered = renderTemplate(found, { recipient: { email: 'ana@example.com' } }, 10_000);
    assert.deepEqual(rendered, { subject: 'Hi', html: '<p>ana@example.com</p>', text: null });
  });
});

test("another instance's template is not found, cached or not", async () => {
  const other = await service.tenant();
  await withNode(async (cache) => {
    const { id } = (await developer.post(path, welcome)).json;
    assert.equal(await cache.find(other.instance.id, id), undefined);
    assert.ok(await cache.find(tenant.instance.id, id));
    assert.equal(await cache.find(other.instance.id, id), undefined);
  });
});

test('two nodes hear at once of publishing, editing, deleting and creating', async () => {
  const second = await startTestService({ database: service.database });
  const there = { ...tenant, api: developer };
  const elsewhere = await signIn(second, there, 'developer');
  try {
    await withNode(async (one) => {
      await withNode(async (two) => {
        const nodes = [one, two];
        const instanceId = tenant.instance.id;
        const { id } = (await developer.post(path, welcome)).json;
        const absent = id + 1;
        const all = async (condition: (node: TemplateCache) => Promise<boolean>, what: string) => {
          const heard = async () => (await Promise.all(nodes.map(condition))).every(Boolean);
          // Well below the 5 s after which an entry is too old in any case.
          await waitFor(heard, { timeout_ms: 3_000, what });
        };
        await all(async (node) => (await node.find(instanceId, id))?.is_published === false, 'the draft');
        await Promise.all(nodes.map(async (node) => await node.find(instanceId, absent)));

        await elsewhere.post(`${path}/${id}/publish`);
        await all(async (node) => (await node.find(instanceId, id))?.is_published === true, 'publication');
        await developer.patch(`${path}/${id}`, { subject: 'Changed' });
        await all(
          async (node) => (await node.find(instanceId, id))?.subject === 'Changed',
          'the new subject',
        );
        const created = await elsewhere.post(path, welcome);
        assert.equal(created.json.id, absent);
        await all(async (node) => (await node.find(instanceId, absent)) !== undefined, 'the new template');
        await developer.delete(`${path}/${id}`);
        await all(async (node) => (await node.find(instanceId, id)) === undefined, 'the deletion');
      });
    });
  } finally {
    await second.stop();
  }
});

test('a lost notification is made up for within five seconds, a gap at once', async (t) => {
  const time = holdProcessTime(t);
  const notifications = silence();
  const cache = createTemplateCache(db, notifications);
  const { id } = (await developer.post(path, welcome)).json;
  const subject = async () => (await cache.find(tenant.instance.id, id))?.subject;
  assert.equal(await subject(), 'Hi');
  await developer.patch(`${path}/${id}`, { subject: 'Two' });
  time.advance(4_999);
  assert.equal(await subject(), 'Hi');
  time.advance(1);
  assert.equal(await subject(), 'Two');
  await developer.patch(`${path}/${id}`, { subject: 'Three' });
  assert.equal(await subject(), 'Two');
  notifications.gap();
  assert.equal(await subject(), 'Three');
});

test('very large templates do not fill the memory', async () => {
  const cache = createTemplateCache(db, silence());
  const large = { ...welcome, source: 'x'.repeat(300_000) };
  const { id } = (await developer.post(path, large)).json;
  await cache.find(tenant.instance.id, id);
  const sent = db.round_trips;
  await cache.find(tenant.instance.id, id);
  assert.equal(db.round_trips, sent + 1);
});

test('an alias in use costs no query, and one that is not there neither', async () => {
  const cache = createTemplateCache(db, silence());
  const { id } = (await developer.post(path, { ...welcome, alias: 'in-use' })).json;
  for (const alias of ['in-use', 'not-there']) {
    await cache.findByAlias(tenant.instance.id, alias);
    const sent = db.round_trips;
    const found = await cache.findByAlias(tenant.instance.id, alias);
    assert.equal(db.round_trips, sent);
    assert.equal(found?.id, alias === 'in-use' ? id : undefined);
  }
  const other = await service.tenant();
  assert.equal(await cache.findByAlias(other.instance.id, 'in-use'), undefined);
});

test('an alias that moves to another template is followed at once', async () => {
  await withNode(async (cache) => {
    const [first, second] = [
      (await developer.post(path, { ...welcome, alias: 'moves' })).json.id,
      (await developer.post(path, welcome)).json.id,
    ];
    const idNow = async () => (await cache.findByAlias(tenant.instance.id, 'moves'))?.id;
    assert.equal(await idNow(), first);
    await developer.patch(`${path}/${first}`, { alias: null });
    await waitFor(async () => (await idNow()) === undefined, { timeout_ms: 4_000, what: 'no template' });
    await developer.patch(`${path}/${second}`, { alias: 'moves' });
    await waitFor(async () => (await idNow()) === second, { timeout_ms: 4_000, what: 'the other one' });
  });
});
