import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import { RootSecret } from '../base/secrets.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import {
  erasureLines,
  listErasures,
  readErasureLines,
  takeOverErasures,
} from '../restrictions/erasure-list.ts';
import { replayErasures } from './replay-erasures.ts';
import { runErasures } from './run-erasures.ts';

const hashes = new ContactHashes(new RootSecret('a root secret for tests, and for tests alone'));
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

const job = () => ({ db: service.db, now: new Date(), isStopping: () => false });
const recipientOf = async (mail_id: string): Promise<unknown> =>
  (await service.db.query('select recipient from mails where mail_id = $1', [mail_id]))[0]?.['recipient'];

test('the list erases again exactly the people whom a backup brings back', async () => {
  const contacts = [{ contact: 'gone@sandbox.test', contact_type: 'email_address' }];
  const { json } = await tenant.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await tenant.api.post(`/v1/rights-requests/${json.id}/fulfil`, {});
  assert.deepEqual(await runErasures(job()), { done: 1, left: 0 });
  const list = erasureLines(await listErasures(service.db));
  assert.doesNotMatch(list, /gone@/);

  // As a restore of an older backup leaves it: the mail is there, and the erasure is not known.
  await service.db.query('delete from suppressed_contacts where instance_id = $1', [tenant.instance.id]);
  const back = await acceptedMail(service, tenant, 'Gone@sandbox.test');
  const other = await acceptedMail(service, tenant, 'stays@sandbox.test');
  await indexSubjectsJob.run(job());
  assert.equal(await takeOverErasures(service.db, readErasureLines(list)), 1);
  assert.equal(await takeOverErasures(service.db, readErasureLines(list)), 0, 'once');
  assert.equal(await replayErasures(job(), hashes), 1);
  assert.deepEqual(
    [await recipientOf(back), await recipientOf(other)],
    ['erased@erased.invalid', 'stays@sandbox.test'],
  );
  assert.equal(await replayErasures(job(), hashes), 0, 'and is done with');
  assert.throws(() => readErasureLines('{"instance":"x","hash":"no"}\n'), /Line 1/);
});

test('the list also erases a person found only in a request or in the audit log', async () => {
  const { api, instance } = await service.tenant();
  const path = '/v1/rights-requests';
  const phone = { contact: '+56 9 1234 5678', contact_type: 'phone_number' };
  const email = { contact: 'alone@sandbox.test', contact_type: 'email_address' };
  const { json } = await api.post(path, { kind: 'erasure', contacts: [phone, email] });
  await api.post(`${path}/${json.id}/fulfil`, {});
  await runErasures(job());
  const list = erasureLines(await listErasures(service.db));
  await service.db.query('delete from suppressed_contacts where instance_id = $1', [instance.id]);
  const asked = await api.post(path, { kind: 'access', contacts: [phone], detail: 'Call me.' });
  await service.db.query(
    `insert into audit_events (instance_id, actor_kind, action, object_kind, details)
     values ($1, 'system', 'test.written', 'mail_restriction', $2)`,
    [instance.id, JSON.stringify({ recipient: 'Alone@sandbox.test' })],
  );
  await takeOverErasures(service.db, readErasureLines(list));
  await replayErasures(job(), hashes);
  const { contacts, detail } = (await api.get(`${path}/${asked.json.id}`)).json;
  assert.deepEqual([contacts, detail], [[], null]);
  const lines = await service.db.query(
    `select details from audit_events where instance_id = $1 and action = 'test.written'`,
    [instance.id],
  );
  assert.deepEqual(lines, [{ details: { recipient: '[erased]' } }]);
});
