import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { erasedAddress } from '../base/personal-data.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { recordResubscribe, recordUnsubscribe } from './record-unsubscribe.ts';
import { acceptedMail, leaveRetention } from './sent-mail.fixture.ts';

let service: TestService;
let tenant: Tenant;
/** After everything that the tests themselves do; not of the import, which may be minutes before them. */
let [at, later, last] = [new Date(), new Date(), new Date()];
before(async () => {
  const began = Date.now();
  [at, later, last] = [new Date(began + 60_000), new Date(began + 61_000), new Date(began + 62_000)];
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  await service.db.query(`update senders set stream = 'broadcast' where instance_id = $1`, [
    tenant.instance.id,
  ]);
});
after(async () => await service.stop());

const nobody = '01900000-0000-7000-8000-000000000000';

async function events(mail_id: string): Promise<unknown[]> {
  const rows = await service.db.query<{ event: string; data: unknown }>(
    'select event, data from events where mail_id = $1 order by event_id',
    [mail_id],
  );
  return rows.map(({ event, data }) => [event, data]);
}

async function statusOf(mail_id: string): Promise<unknown> {
  const [mail] = await service.db.query<{ status: number }>('select status from mails where mail_id = $1', [
    mail_id,
  ]);
  return mail?.status;
}

test('a broadcast does not reach who unsubscribed, in any letters, until they come back', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'Ñandú@sandbox.test');
  const given = { mail_id, method: 'page', reason: '  too many\0 ', at } as const;
  assert.deepEqual(await recordUnsubscribe(db, given), { is_new: true });
  const next = await acceptedMail(service, tenant, 'ñANDÚ@sandbox.test');
  assert.equal(await statusOf(next), 4);
  assert.deepEqual(await events(next), [['dropped', null]]);
  assert.equal(await statusOf(await acceptedMail(service, tenant, 'someone@sandbox.test')), 2);

  assert.deepEqual(await recordResubscribe(db, { mail_id: next, at: later }), { is_new: true });
  assert.equal(await statusOf(await acceptedMail(service, tenant, 'ñandú@sandbox.test')), 2);
  const data = { method: 'page', reason: 'too many\u{fffd}' };
  assert.deepEqual(await events(mail_id), [['unsubscribed', data]]);
  assert.deepEqual((await events(next)).at(-1), ['resubscribed', null]);
});

test('the drop tells its reason, and transactional mail is not concerned', async () => {
  const { db } = service;
  const other = await service.tenant();
  const mail_id = await acceptedMail(service, other, 'ana@sandbox.test');
  await recordUnsubscribe(db, { mail_id, method: 'one_click', reason: null, at });
  assert.equal(await statusOf(await acceptedMail(service, other, 'ana@sandbox.test')), 2);
  await db.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream)
     select instance_id, id, 'News', 'news@' || domain, 'broadcast' from domains where instance_id = $1`,
    [other.instance.id],
  );
  const { json } = await other.api.post('/v1/mails/send', {
    sender_email: `news@${other.instance.slug}.sandbox.test`,
    to: [{ email: 'ANA@sandbox.test' }, { email: 'bea@sandbox.test' }],
    subject: 'News',
    html: '<p>News</p>',
  });
  const drops = await db.query(
    'select m.recipient, e.reason from mails m left join events e using (mail_id) where m.msg_id = $1 order by 1',
    [json.message_id],
  );
  assert.deepEqual(drops, [
    { recipient: 'ANA@sandbox.test', reason: 'recipient_unsubscribed' },
    { recipient: 'bea@sandbox.test', reason: null },
  ]);
  const elsewhere = await acceptedMail(service, tenant, 'ana@sandbox.test');
  assert.equal(await statusOf(elsewhere), 2, 'another instance is not concerned');
});

test('twice is once, also at the same moment; after coming back it counts again', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'twice@sandbox.test');
  const given = { mail_id, method: 'one_click', reason: null, at } as const;
  const first = await Promise.all([1, 2, 3].map(async () => await recordUnsubscribe(db, given)));
  assert.equal(first.filter((recorded) => recorded?.is_new).length, 1);
  assert.deepEqual(await recordUnsubscribe(db, { ...given, method: 'page' }), { is_new: false });
  const back = await Promise.all([1, 2].map(async () => await recordResubscribe(db, { mail_id, at: later })));
  assert.equal(back.filter((recorded) => recorded?.is_new).length, 1);
  assert.deepEqual(await recordUnsubscribe(db, { ...given, method: 'mailto', at: last }), { is_new: true });
  assert.deepEqual(
    (await events(mail_id)).map((event) => (event as unknown[])[0]),
    ['unsubscribed', 'resubscribed', 'unsubscribed'],
  );
  const rows = await db.query(
    'select method, unsubscribed_at, resubscribed_at from unsubscribes where mail_id = $1',
    [mail_id],
  );
  assert.deepEqual(rows, [{ method: 'mailto', unsubscribed_at: last, resubscribed_at: null }]);
});

test('resubscribing lifts the unsubscribes of the address by other mails, only in this instance', async () => {
  const { db } = service;
  const other = await service.tenant();
  const mails = [
    await acceptedMail(service, tenant, 'many@sandbox.test'),
    await acceptedMail(service, tenant, 'MANY@sandbox.test'),
    await acceptedMail(service, other, 'many@sandbox.test'),
  ];
  for (const mail_id of mails) await recordUnsubscribe(db, { mail_id, method: 'page', reason: null, at });
  await recordResubscribe(db, { mail_id: mails[1] ?? '', at: later });
  const rows = await db.query<{ resubscribed_at: Date | null }>(
    'select resubscribed_at from unsubscribes where mail_id = any ($1::uuid[]) order by mail_id',
    [mails],
  );
  assert.deepEqual(
    rows.map(({ resubscribed_at }) => resubscribed_at),
    [later, later, null],
  );
  assert.equal((await events(mails[0] ?? '')).length, 1, 'the event is of the mail whose link was used');
});

test('an unsubscribe of a mail that does not exist, or a resubscribe without one, records nothing', async () => {
  const { db } = service;
  assert.equal(await recordUnsubscribe(db, { mail_id: nobody, method: 'page', reason: null, at }), undefined);
  assert.equal(await recordResubscribe(db, { mail_id: nobody, at }), undefined);
  const mail_id = await acceptedMail(service, tenant, 'here@sandbox.test');
  assert.deepEqual(await recordResubscribe(db, { mail_id, at }), { is_new: false });
  assert.deepEqual(await events(mail_id), []);
});

test('coming back works after the mail has left retention', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'old@sandbox.test');
  await recordUnsubscribe(db, { mail_id, method: 'page', reason: null, at });
  await leaveRetention(service, mail_id);
  assert.deepEqual(await recordResubscribe(db, { mail_id, at: later }), { is_new: true });
  assert.equal(await statusOf(await acceptedMail(service, tenant, 'old@sandbox.test')), 2);
});

test('consent is withdrawn and given back with it, where the sender has a purpose', async () => {
  const { db } = service;
  const account = await openConsentAccount(service);
  const setPurpose = 'update senders set consent_purpose_id = $2 where instance_id = $1';
  const contact = 'ana@sandbox.test';
  await account.recordAllow(contact);
  await account.recordAllow(contact, { purpose_id: account.newsletter });
  const verdicts = async (): Promise<unknown[]> =>
    await db
      .query<{ purpose_id: number; action: string }>(
        `select distinct on (purpose_id) purpose_id, action from consent_rules where instance_id = $1
         order by purpose_id, id desc`,
        [account.instance.id],
      )
      .then((rows) => rows.map(({ action }) => action));

  const plain = await acceptedMail(service, account, 'Ana@sandbox.test');
  await recordUnsubscribe(db, { mail_id: plain, method: 'page', reason: null, at });
  assert.deepEqual(await verdicts(), ['allow', 'allow'], 'without a purpose there is nothing to withdraw');
  await db.query(setPurpose, [account.instance.id, account.marketing]);
  const mail_id = await acceptedMail(service, account, 'Ana@sandbox.test');
  const evidence = { address: '192.0.2.7' };
  await recordUnsubscribe(db, { mail_id, method: 'one_click', reason: null, at, evidence });
  await recordUnsubscribe(db, { mail_id, method: 'one_click', reason: null, at, evidence });
  assert.deepEqual(await verdicts(), ['deny', 'allow']);
  const withdrawn = await db.query<{ source: string; evidence: unknown }>(
    `select source, evidence from consent_events where instance_id = $1 and source = 'system'`,
    [account.instance.id],
  );
  assert.deepEqual(withdrawn, [{ source: 'system', evidence: { actor: 'system', address: '192.0.2.7' } }]);

  // What was withdrawn is given back, whatever the sender has become since and by whichever mail they come back.
  await db.query(setPurpose, [account.instance.id, null]);
  await recordResubscribe(db, { mail_id: plain, at: later });
  assert.deepEqual(await verdicts(), ['allow', 'allow']);
});

test('a mail brings its recipient back ten times at most, and always lets them go', async () => {
  const { db } = service;
  const mail_id = await acceptedMail(service, tenant, 'pendulum@sandbox.test');
  const turns: unknown[] = [];
  for (let count = 0; count < 11; count += 1) {
    const gone = await recordUnsubscribe(db, { mail_id, method: 'page', reason: null, at });
    const back = await recordResubscribe(db, { mail_id, at });
    turns.push([gone?.is_new, back?.is_new]);
  }
  assert.deepEqual(turns.slice(-2), [
    [true, true],
    [true, false],
  ]);
});

test('does not keep words of an erased person, and does not bring back other erased people', async () => {
  const { db } = service;
  const [ana, bea] = [
    await acceptedMail(service, tenant, 'ana-erased@sandbox.test'),
    await acceptedMail(service, tenant, 'bea-erased@sandbox.test'),
  ];
  await recordUnsubscribe(db, { mail_id: bea, method: 'page', reason: null, at });
  for (const table of ['mails', 'unsubscribes']) {
    await db.query(`update ${table} set recipient = $2 where mail_id = any ($1::uuid[])`, [
      [ana, bea],
      erasedAddress,
    ]);
  }
  const reason = 'I am ana-erased@sandbox.test';
  assert.deepEqual(await recordUnsubscribe(db, { mail_id: ana, method: 'page', reason, at }), {
    is_new: true,
  });
  assert.deepEqual(await events(ana), [['unsubscribed', { method: 'page', reason: null }]]);
  assert.deepEqual(await recordResubscribe(db, { mail_id: ana, at: later }), { is_new: true });
  const rows = await db.query(
    'select mail_id, reason, resubscribed_at from unsubscribes where mail_id = any ($1::uuid[]) order by mail_id',
    [[ana, bea]],
  );
  assert.deepEqual(rows, [
    { mail_id: ana, reason: null, resubscribed_at: later },
    { mail_id: bea, reason: null, resubscribed_at: null },
  ]);
});
