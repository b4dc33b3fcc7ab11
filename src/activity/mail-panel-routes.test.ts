import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());

async function deferredMail(): Promise<string> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'ana@sandbox.test' }],
    subject: 'Again',
    html: '<p>Hello</p>',
  });
  const [row] = await service.db.query<{ mail_id: string }>(
    `update queue set due_at = now() + interval '1 hour', attempts = 2 where msg_id = $1 returning mail_id`,
    [json.message_id],
  );
  return row?.mail_id ?? '';
}
const retry = async (user: PanelUser, mailId: string) => await user.post(`/v1/private/mails/${mailId}/retry`);

test('a deferred mail is due when a developer says so', async () => {
  const mail_id = await deferredMail();
  const viewer = await signIn(service, tenant, 'viewer');
  assert.equal((await retry(viewer, mail_id)).json.code, 'forbidden');
  assert.equal((await retry(developer, mail_id)).status, 204);
  const [row] = await service.db.query<{ is_due: boolean }>(
    'select due_at <= now() as is_due from queue where mail_id = $1',
    [mail_id],
  );
  assert.ok(row?.is_due);
});

test('does not change mail that is leased, held, paused or done', async () => {
  const mail_id = await deferredMail();
  const set = async (change: string): Promise<void> => {
    await service.db.query(`update queue set ${change} where mail_id = $1`, [mail_id]);
  };
  await set('lease = gen_random_uuid()');
  assert.equal((await retry(developer, mail_id)).json.code, 'mail_not_waiting');
  await set('lease = null, held_since = now()');
  assert.equal((await retry(developer, mail_id)).json.code, 'mail_not_waiting');
  await set('held_since = null');
  await developer.post('/v1/private/queue/destinations/sandbox.test/pause');
  assert.equal((await retry(developer, mail_id)).json.code, 'mail_not_waiting');
  await developer.post('/v1/private/queue/destinations/sandbox.test/resume');
  await service.db.query('delete from queue where mail_id = $1', [mail_id]);
  assert.equal((await retry(developer, mail_id)).json.code, 'mail_not_waiting');
});
