import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { erasedAddress } from '../base/personal-data.ts';
import { recordComplaint } from './record-complaint.ts';
import { acceptedMail } from './sent-mail.fixture.ts';

let service: TestService;
let tenant: Tenant;
/** After everything that the tests themselves do; not of the import, which may be minutes before them. */
let at = new Date();
before(async () => {
  at = new Date(Date.now() + 60_000);
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function restrictionsOf(recipient: string): Promise<unknown[]> {
  return await service.db.query(
    'select instance_id, recipient, reason, mail_id, detail from restrictions where recipient_key = $1',
    [recipient],
  );
}

test('a complaint is written, restricts the recipient and stands in the log, once', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'Angry@sandbox.test');
  const given = { mail_id, type: 'fraud', comment: 'This is not my bank.', at } as const;
  const recorded = await Promise.all([1, 2].map(async () => await recordComplaint(db, given)));
  assert.equal(recorded.filter((each) => each?.is_new).length, 1);
  assert.deepEqual(await recordComplaint(db, { ...given, type: 'spam' }), { is_new: false });
  const instance_id = tenant.instance.id;
  assert.deepEqual(await restrictionsOf('angry@sandbox.test'), [
    { instance_id, recipient: 'Angry@sandbox.test', reason: 'complaint', mail_id, detail: 'fraud' },
  ]);
  const { json } = await tenant.api.get(`/v1/mails/${mail_id}/logs`);
  const { event, status, reason, detail } = json.data.at(-1);
  assert.deepEqual(
    [json.data.length, event, status, reason, detail],
    [3, 'complained', null, 'fraud', 'This is not my bank.'],
  );
});

test('an address that is restricted already keeps its first reason', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'ñu@sandbox.test');
  await db.query(
    `insert into restrictions (instance_id, recipient, reason) values ($1, 'ÑU@sandbox.test', 'manual')`,
    [tenant.instance.id],
  );
  await recordComplaint(db, { mail_id, type: 'spam', comment: null, at });
  const rows = (await restrictionsOf('ñu@sandbox.test')) as { reason: string }[];
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    ['manual'],
  );
});

test('a complaint that is reported again does not bring back a restriction that was taken off', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'forgiven@sandbox.test');
  const given = { mail_id, type: 'spam', comment: null, at } as const;
  await recordComplaint(db, given);
  await db.query('delete from restrictions where mail_id = $1', [mail_id]);
  assert.deepEqual(await recordComplaint(db, given), { is_new: false });
  assert.deepEqual(await restrictionsOf('forgiven@sandbox.test'), []);
});

test('a complaint of an erased person is counted, without its text and without a restriction', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'ana-erased@sandbox.test');
  await db.query('update mails set recipient = $2 where mail_id = $1', [mail_id, erasedAddress]);
  const comment = 'I am ana-erased@sandbox.test';
  assert.deepEqual(await recordComplaint(db, { mail_id, type: 'spam', comment, at }), { is_new: true });
  const rows = await db.query(
    `select c.recipient, c.comment, e.data from complaints c join events e using (mail_id)
     where c.mail_id = $1 and e.event = 'complained'`,
    [mail_id],
  );
  assert.deepEqual(rows, [
    { recipient: erasedAddress, comment: null, data: { type: 'spam', comment: null } },
  ]);
  assert.deepEqual(await restrictionsOf(erasedAddress), []);
});

test('a comment of any length and content is kept as far as it can be', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'long@sandbox.test');
  const comment = `\0\u{d800} ${'😀'.repeat(5_000)}`;
  await recordComplaint(db, { mail_id, type: 'other', comment, at });
  const [row] = await db.query<{ comment: string }>('select comment from complaints where mail_id = $1', [
    mail_id,
  ]);
  assert.equal(row?.comment, `\u{fffd}\u{fffd} ${'😀'.repeat(1_997)}`);
});

test('does not record a complaint about a mail that does not exist', async () => {
  const mail_id = '01900000-0000-7000-8000-000000000000';
  assert.equal(await recordComplaint(service.db, { mail_id, type: 'spam', comment: null, at }), undefined);
});
