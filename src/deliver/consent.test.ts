import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let account: ConsentAccount;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  account = await openConsentAccount(service);
  await service.db.query(
    'update senders set requires_consent = true, consent_purpose_id = $2 where instance_id = $1',
    [account.instance.id, account.marketing],
  );
});
after(async () => await service.stop());

/** Accepts a mail while its instance is held, lets something happen, and gives what delivery makes of it. */
async function outcome(to: string, meanwhile: () => Promise<unknown>, test_mode = false): Promise<string> {
  const { api, instance } = account;
  await pauseDestination(service, instance.id, 'sandbox.test');
  const mail = {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: to }],
    subject: 'Hola',
    html: '<p>Hola</p>',
    test_mode,
  };
  const { json } = await api.post('/v1/mails/send', mail);
  await meanwhile();
  await service.db.query('delete from paused_destinations where instance_id = $1', [instance.id]);
  let last: { event: string; reason: string | null } | undefined;
  await waitFor(
    async () => {
      [last] = await service.db.query<{ event: string; reason: string | null }>(
        `select event, reason from events where msg_id = $1 and event in ('sent', 'dropped')`,
        [json.message_id],
      );
      return last !== undefined;
    },
    { what: `the end of the mail to ${to}` },
  );
  return [last?.event, last?.reason].filter(Boolean).join(' ');
}

test('delivers while the consent still stands', async () => {
  await account.recordAllow('ana@sandbox.test');
  assert.equal(await outcome('Ana@sandbox.test', async () => undefined), 'sent');
});

test('consent that was withdrawn after acceptance stops the mail before its first attempt', async () => {
  await account.recordAllow('eva@sandbox.test');
  const withdraw = async () => await account.recordDeny('eva@sandbox.test');
  assert.equal(await outcome('EVA@sandbox.test', withdraw), 'dropped consent_revoked');
  const { json } = await account.api.get('/v1/mails?recipient=EVA%40sandbox.test');
  const logs = await account.api.get(`/v1/mails/${json.data[0].mail_id}/logs`);
  assert.equal(logs.json.data.at(-1).reason, 'consent_revoked');
});

test('a mail in test mode is sent without any', async () => {
  assert.equal(await outcome('ida@sandbox.test', async () => undefined, true), 'sent');
});

test('a mail accepted before the sender required consent is checked for consent too', async () => {
  const { instance } = account;
  const require = async (required: boolean) =>
    await service.db.query('update senders set requires_consent = $2 where instance_id = $1', [
      instance.id,
      required,
    ]);
  await require(false);
  const free = await outcome('uma@sandbox.test', async () => await require(true));
  assert.equal(free, 'dropped consent_missing');
});
