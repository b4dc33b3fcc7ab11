import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { addressKey } from '../base/db/address-key.ts';
import { RootSecret } from '../base/secrets.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { createSuppressionLookup } from './suppression-lookup.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

test('addresses are found in any letters, those included that only one of database and process knows', async () => {
  const { instance } = await service.tenant();
  // Georgian capitals came with Unicode 11, which the database may not have.
  const restricted = ['Ana@x.cl', 'ÑANDÚ@x.cl', 'ΑΣ@x.cl', 'Ა@x.cl', 'İ@x.cl'];
  for (const recipient of restricted) {
    const sql = `insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'manual')`;
    await service.db.query(sql, [instance.id, recipient]);
  }
  const find = createSuppressionLookup(service.db, new ContactHashes(new RootSecret('test')));
  const addresses = ['ANA@x.cl', 'ñandú@x.cl', 'ας@x.cl', 'Ა@x.cl', 'İ@x.cl', 'other@x.cl'];
  const found = await find({ instance_id: instance.id, addresses });
  assert.deepEqual(
    addresses.filter((address) => found.has(address.toLowerCase())),
    addresses.slice(0, -1),
  );
});

test('contacts known by their hash are found in their own instance only', async () => {
  const [one, other] = [await service.tenant(), await service.tenant()];
  const hashes = new ContactHashes(new RootSecret('test'));
  const sql = `insert into suppressed_contacts (instance_id, hash, kind, request_id, since) values ($1, $2, $3, 1, now())`;
  for (const [address, kind] of [
    ['ana@x.cl', 'blocked'],
    ['eva@x.cl', 'erased'],
    ['eva@x.cl', 'blocked'],
  ] as const) {
    await service.db.query(sql, [one.instance.id, hashes.ofAddress(one.instance.id, address), kind]);
  }
  const restrict = `insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'manual')`;
  for (const recipient of ['eva@x.cl', 'leo@x.cl']) {
    await service.db.query(restrict, [one.instance.id, recipient]);
  }
  const find = createSuppressionLookup(service.db, hashes);
  const addresses = ['Ana@x.cl', 'eva@x.cl', 'leo@x.cl', 'max@x.cl'];
  const [found, elsewhere] = await Promise.all([
    find({ instance_id: one.instance.id, addresses }),
    find({ instance_id: other.instance.id, addresses }),
  ]);
  assert.deepEqual(
    new Map(found),
    new Map([
      ['eva@x.cl', { is_restricted: true, is_blocked: true, erased: 'gone' }],
      ['leo@x.cl', { is_restricted: true }],
      ['ana@x.cl', { is_blocked: true }],
    ]),
  );
  assert.equal(elsewhere.size, 0);
});

for (const [table, index] of [
  ['restrictions', 'restrictions_recipient_unique'],
  ['unsubscribes', 'unsubscribes_standing'],
] as const) {
  test(`looking an address up in ${table} takes one step of its index`, async () => {
    const plan = await service.db.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      return await tx.query<{ 'QUERY PLAN': string }>(
        `explain select from ${table} where instance_id = 1 and recipient_key = ${addressKey(`'A@x.cl'`)}
         ${table === 'unsubscribes' ? 'and resubscribed_at is null' : ''}`,
      );
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(text, new RegExp(`${index}[^]*Index Cond: .*instance_id = 1.*recipient_key = 'a@x.cl'`));
  });
}
