import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { openBroadcastAccount, type BroadcastAccount } from './broadcast-account.fixture.ts';

let service: TestService;
let account: BroadcastAccount;
before(async () => {
  service = await startTestService({ roles: 'api' });
  account = await openBroadcastAccount(service);
});
after(async () => await service.stop());

const count = async (audience: object) => {
  const { status, json, text } = await account.api.post('/v1/broadcasts/audience', {
    purpose_id: account.marketing,
    ...audience,
  });
  assert.equal(status, 200, text);
  return json as { count: number; left_out: { reason: string; count: number }[]; sample: string[] };
};

test('the audience is everyone with a standing consent, and says why others are left out', async () => {
  const { api } = account;
  for (const name of ['ana', 'bea', 'carla', 'dora', 'eva'])
    await account.recordAllow(`${name}@sandbox.test`);
  await account.recordDeny('bea@sandbox.test');
  await account.recordDeny('nobody@sandbox.test');
  await account.recordAllow('other@sandbox.test', { purpose_id: account.newsletter });
  await api.post('/v1/mail-restrictions', { recipient: 'Carla@sandbox.test' });
  await service.db.query(
    `insert into unsubscribes (mail_id, msg_id, instance_id, sender_id, sender, recipient, method, unsubscribed_at)
     values (gen_random_uuid(), gen_random_uuid(), $1, $2, 'x', 'DORA@sandbox.test', 'page', now())`,
    [account.instance.id, account.sender_id],
  );
  assert.deepEqual(await count({}), {
    count: 2,
    left_out: [
      { reason: 'consent_revoked', count: 2 },
      { reason: 'recipient_restricted', count: 1 },
      { reason: 'recipient_unsubscribed', count: 1 },
    ],
    sample: ['ana@sandbox.test', 'eva@sandbox.test'],
  });
  const saved = await account.draft({
    audience: { purpose_id: account.marketing, exclude: ['EVA@sandbox.test'] },
  });
  const { json } = await api.get(`/v1/broadcasts/${saved.id}/audience`);
  assert.deepEqual(json.sample, ['ana@sandbox.test']);
  assert.ok(json.left_out.some(({ reason }: { reason: string }) => reason === 'excluded'));
});

test('a blocked person is left out and not shown', async () => {
  const { api } = account;
  const contacts = [{ contact_type: 'email_address', contact: 'eva@sandbox.test' }];
  const asked = await api.post('/v1/rights-requests', { kind: 'blocking', contacts, detail: 'x' });
  assert.equal(asked.status, 201, asked.text);
  const done = await api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, { resolution: 'Blocked.' });
  assert.equal(done.status, 200, done.text);
  const { sample, left_out } = await count({});
  assert.deepEqual(sample, ['ana@sandbox.test']);
  assert.ok(left_out.some(({ reason }) => reason === 'recipient_blocked'));
});

test('conditions compare what a contact answered last', async () => {
  const { api } = account;
  const fields: [string, string, object?][] = [
    ['CITY', 'text'],
    ['BORN', 'date'],
    ['VISITS', 'number'],
    ['IS_VIP', 'boolean'],
    [
      'LIKES',
      'multiselect',
      {
        options: [
          { value: 'TEA', label: 'Tea' },
          { value: 'RUM', label: 'Rum' },
        ],
      },
    ],
  ];
  for (const [field_key, type, config] of fields)
    assert.equal((await api.post('/v1/fields', { name: field_key, field_key, type, config })).status, 201);
  for (const name of ['fay', 'gil', 'hal', 'ida']) await account.recordAllow(`${name}@c.sandbox.test`);
  await account.tell('fay@c.sandbox.test', {
    CITY: 'Ñuñoa',
    BORN: '1980-05-01',
    VISITS: 3,
    LIKES: ['TEA', 'RUM'],
  });
  await account.tell('GIL@c.sandbox.test', {
    CITY: 'Lima',
    BORN: '1999-01-01',
    VISITS: 12,
    IS_VIP: true,
    LIKES: ['TEA'],
  });
  await account.tell('hal@c.sandbox.test', { CITY: 'Lima' });
  // A link to the mailbox outweighs what anybody types later; a null takes an answer back.
  await account.tell('hal@c.sandbox.test', { CITY: 'Arica', VISITS: null }, { is_update: true });
  await account.tell('hal@c.sandbox.test', { CITY: 'Lima', VISITS: 5 });
  const who = async (field: string, operator: string, given: object): Promise<string> =>
    (await count({ conditions: [{ field, operator, ...given }] })).sample
      .map((contact) => contact.slice(0, 3))
      .join(' ');
  assert.equal(await who('CITY', 'equals', { value: 'Lima' }), 'gil');
  assert.equal(await who('CITY', 'in', { values: ['Lima', 'Arica'] }), 'gil hal');
  assert.equal(await who('CITY', 'contains', { value: 'ñUÑ' }), 'fay');
  assert.equal(await who('CITY', 'contains', { value: '%' }), '', 'a value is not a pattern');
  assert.equal(await who('BORN', 'before', { value: '1990-01-01' }), 'fay');
  assert.equal(await who('BORN', 'after', { value: '1980-05-01' }), 'gil');
  assert.equal(
    await who('VISITS', 'after', { value: 3 }),
    'gil',
    'numbers, not texts; what was taken back is gone',
  );
  assert.equal(await who('IS_VIP', 'equals', { value: true }), 'gil');
  assert.equal(await who('LIKES', 'contains', { value: 'RUM' }), 'fay');
  const both = await count({
    conditions: [
      { field: 'CITY', operator: 'equals', value: 'Lima' },
      { field: 'VISITS', operator: 'before', value: 12 },
    ],
  });
  assert.equal(both.count, 0);
});

test('recipients of an earlier broadcast can be left out', async () => {
  const earlier = await account.draft();
  await service.db.query(
    `insert into broadcast_recipients (broadcast_id, position, contact, rule_id) values ($1, 1, 'fay@c.sandbox.test', 1)`,
    [earlier.id],
  );
  const { sample } = await count({ exclude_broadcast_ids: [earlier.id] });
  assert.deepEqual(
    sample,
    ['ana', 'gil@c', 'hal@c', 'ida@c'].map((name) => `${name}${name.includes('@') ? '.' : '@'}sandbox.test`),
  );
});
