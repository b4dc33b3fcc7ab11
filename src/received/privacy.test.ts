import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { newId } from '../base/ids.ts';
import { personalData } from './personal-data.ts';
import { purgeReceivedJob } from './purge-received.ts';

let service: TestService;
let tenant: Tenant;
let recipient: string;
before(async () => {
  service = await startTestService({ roles: 'api,inbound' });
  tenant = await service.tenant();
  recipient = `help@${tenant.instance.slug}.sandbox.test`;
  const [domain] = (await tenant.api.get('/v1/domains')).json.data;
  const route = { domain_id: domain.id, name: 'All', match: 'catch_all', action: 'store' };
  assert.equal((await tenant.api.post('/v1/inbound-routes', route)).status, 201);
});
after(async () => await service.stop());

async function receive(from: string, text: string): Promise<string> {
  const { json, text: answer } = await tenant.api.post('/v1/received-mails', {
    recipient,
    from,
    subject: 'Hi',
    text,
  });
  assert.ok(json.id, answer);
  await waitFor(async () => (await tenant.api.get(`/v1/received-mails/${json.id}`)).json.state === 'parsed');
  return json.id;
}

const idsLeft = async (): Promise<string[]> =>
  (await service.db.query<{ id: string }>('select id from received_mails order by id')).map(({ id }) => id);

test('erasure deletes the mail that is from a person or names them, with its source, and no other', async () => {
  const own = await receive('eva@example.net', 'Hola');
  const naming = await receive('luis@example.net', 'Ask Eva@Example.net about it.');
  const other = await receive('luis@example.net', 'susana-eva@example.net');
  const person = { instance_id: tenant.instance.id, emails: ['eva@example.net'], phones: [], codes: [] };
  const collected: unknown[] = [];
  for await (const page of personalData.collect[0]?.rows(service.db, person) ?? []) collected.push(...page);
  assert.deepEqual(collected.map((row) => (row as { id: string }).id).toSorted(), [own, naming].toSorted());
  const erased = await personalData.erase?.(service.db, person, undefined);
  assert.deepEqual(erased, { rows: 2, next: undefined });
  assert.deepEqual(await idsLeft(), [other]);
  const [{ sources } = { sources: 0 }] = await service.db.query<{ sources: number }>(
    'select count(*) as sources from received_sources',
  );
  assert.equal(sources, 1);
});

test('mail that names a blocked person is shown to nobody until the blocking is lifted', async () => {
  const id = await receive('nora@example.net', 'Hola');
  const asked = await tenant.api.post('/v1/rights-requests', {
    kind: 'blocking',
    contacts: [{ contact_type: 'email_address', contact: 'nora@example.net' }],
  });
  assert.equal(asked.status, 201, asked.text);
  const fulfilled = await tenant.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
  assert.equal(fulfilled.status, 200, fulfilled.text);
  assert.equal((await tenant.api.get(`/v1/received-mails/${id}`)).status, 404);
  assert.equal((await tenant.api.get(`/v1/received-mails/${id}/raw`)).status, 404);
  const list = (await tenant.api.get('/v1/received-mails')).json.data;
  assert.ok(!list.some((mail: { id: string }) => mail.id === id));
});

test('the purge deletes what is older than the retention of its instance, and the sources that no mail has', async () => {
  await service.db.query('delete from received_mails');
  const kept = await receive('luis@example.net', 'new');
  const old = newId(new Date(Date.now() - 100 * 86_400_000));
  await service.db.query(
    `with source as (
       insert into received_sources (id, instance_id, raw, received_at)
       select $1, instance_id, raw, received_at from received_sources limit 1 returning id
     )
     insert into received_mails (id, instance_id, source_id, domain_id, action, recipient, helo, size_bytes, received_at, state)
     select $1, instance_id, (select id from source), domain_id, action, recipient, helo, size_bytes, received_at, state
     from received_mails where id = $2`,
    [old, kept],
  );
  const summary = await purgeReceivedJob.run({ db: service.db, now: new Date(), isStopping: () => false });
  assert.equal(summary, '1 received mails, 1 sources');
  assert.deepEqual(await idsLeft(), [kept]);
});
