import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '../../src/base/db/database.ts';
import type { Notifications } from '../../src/base/db/notifications.ts';
import { parseApiKey } from '../../src/credentials/api-key.ts';
import { revokeApiKey } from '../../src/credentials/api-keys.ts';
import { createApiKeyAuthentication } from '../../src/credentials/authenticate-api-key.ts';
import { setInstance } from '../../src/instances/instances.ts';
import { holdProcessTime } from '../support/hold-process-time.ts';
import { createMovableClock } from '../support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const operator = { kind: 'operator' } as const;
/** Stands still: nothing that happens here happens because time has passed. */
const clock = createMovableClock(new Date());
let here: TestService;
let there: TestService;
let db: Database;
const endings: (() => Promise<void>)[] = [];
before(async () => {
  here = await startTestService({ clock });
  endings.unshift(async () => await here.stop());
  there = await startTestService({ clock, database: here.database });
  endings.unshift(async () => await there.stop());
  const { connection } = here.database;
  db = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
  endings.unshift(async () => await db.end());
});
after(async () => {
  for (const end of endings) await end();
});

/** What two nodes answer the tenant, both of which know its key by now. */
async function answers({ api_key, instance }: Tenant): Promise<string[]> {
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': instance.slug };
  return await Promise.all(
    [here, there].map(async ({ base_url }) => {
      const answer = await fetch(`${base_url}/v1/fields`, { headers });
      const { code = 'ok' } = (await answer.json()) as { code?: string };
      return code;
    }),
  );
}

async function waitForBoth(tenant: Tenant, expected: string): Promise<void> {
  let seen: string[] = [];
  await waitFor(async () => (seen = await answers(tenant)).every((code) => code === expected), {
    // Well below the 5 s after which a key is looked up again in any case.
    timeout_ms: 4_000,
    what: () => `${expected}; got ${seen.join()}`,
  });
}

const revoke = async ({ api_key, instance }: Tenant): Promise<void> => {
  const { id = '' } = parseApiKey(api_key) ?? {};
  await revokeApiKey(here.db, instance.id, { id, actor: operator, now: clock.now() });
};
const set = async ({ instance }: Tenant, settings: Record<string, string>): Promise<void> => {
  await setInstance(here.db, instance.slug, { settings, actor: operator });
};

test('a revoked key is refused on every node at once', async () => {
  const tenant = await here.tenant();
  assert.deepEqual(await answers(tenant), ['ok', 'ok']);
  await revoke(tenant);
  await waitForBoth(tenant, 'unauthorized');
});

test('a key that was not there a moment ago is taken once it is', async () => {
  const tenant = await here.tenant();
  const id = parseApiKey(tenant.api_key)?.id ?? '';
  const [row] = await here.db.query('delete from api_keys where id = $1 returning *', [id]);
  await waitForBoth(tenant, 'unauthorized');
  await here.db.query(
    'insert into api_keys (id, instance_id, name, token_hash, scopes) values ($1, $2, $3, $4, $5)',
    [id, row?.['instance_id'], row?.['name'], row?.['token_hash'], row?.['scopes']],
  );
  await waitForBoth(tenant, 'ok');
});

test('an instance that is disabled, and enabled again, is so on every node at once', async () => {
  const tenant = await here.tenant();
  assert.deepEqual(await answers(tenant), ['ok', 'ok']);
  await set(tenant, { is_enabled: 'false' });
  await waitForBoth(tenant, 'forbidden');
  await set(tenant, { is_enabled: 'true' });
  await waitForBoth(tenant, 'ok');
});

test('a changed list of addresses holds on every node at once', async () => {
  const tenant = await here.tenant();
  assert.deepEqual(await answers(tenant), ['ok', 'ok']);
  await set(tenant, { ip_allowlist: '203.0.113.0/24' });
  await waitForBoth(tenant, 'ip_not_allowed');
  await set(tenant, { ip_allowlist: '' });
  await waitForBoth(tenant, 'ok');
  const id = parseApiKey(tenant.api_key)?.id ?? '';
  await here.db.query("update api_keys set ip_allowlist = '{203.0.113.0/24}' where id = $1", [id]);
  await waitForBoth(tenant, 'ip_not_allowed');
});

test('a node that listens again knows what happened meanwhile', async (t) => {
  // Or it would be known in five seconds anyway.
  holdProcessTime(t);
  const tenant = await here.tenant();
  assert.deepEqual(await answers(tenant), ['ok', 'ok']);
  await here.db.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and application_name = 'chasqui listen'`,
  );
  await revoke(tenant);
  await waitFor(async () => (await answers(tenant)).every((code) => code === 'unauthorized'));
});

const deaf: Notifications = {
  on: () => undefined,
  onGap: () => undefined,
  start: async () => undefined,
  stop: async () => undefined,
};

const credentialsOf = ({ api_key, instance }: Tenant) => ({
  authorization: `Bearer ${api_key}`,
  instance_slug: instance.slug,
  address: '127.0.0.1',
});

test('a change whose notification is lost is noticed within five seconds', async (t) => {
  const time = holdProcessTime(t);
  const keys = createApiKeyAuthentication(db, deaf, { clock });
  const tenant = await here.tenant();
  await keys.authenticate(credentialsOf(tenant), 'field:read');
  await revoke(tenant);
  time.advance(4_999);
  await keys.authenticate(credentialsOf(tenant), 'field:read');
  time.advance(1);
  await assert.rejects(keys.authenticate(credentialsOf(tenant), 'field:read'), { code: 'unauthorized' });
});

test('a hot key costs no query, and many first uses at once cost one', async () => {
  const keys = createApiKeyAuthentication(db, deaf, { clock });
  const tenant = await here.tenant();
  const use = async () => await keys.authenticate(credentialsOf(tenant), 'field:read');
  const beforeFirst = db.round_trips;
  await Promise.all(Array.from({ length: 20 }, use));
  assert.equal(db.round_trips - beforeFirst, 1);
  for (let n = 0; n < 100; n += 1) await use();
  assert.equal(db.round_trips - beforeFirst, 1);
  const wrong = { ...credentialsOf(tenant), instance_slug: 'another' };
  await assert.rejects(keys.authenticate(wrong, 'field:read'), { code: 'unauthorized' });
  await assert.rejects(keys.authenticate({ ...wrong, authorization: undefined }, 'field:read'), {
    code: 'unauthorized',
  });
  assert.equal(db.round_trips - beforeFirst, 1);
});
