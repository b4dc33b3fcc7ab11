import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api,jobs' });
});
after(async () => await service.stop());

interface Written {
  recipient: string;
  subject: string;
  text: string;
}

/** What the platform wrote to anybody, oldest first. */
const written = async (): Promise<Written[]> =>
  await service.db.query<Written & Record<string, unknown>>(
    `select m.recipient, m.subject, convert_from(g.text, 'UTF8') as text from mails m
     join messages g on g.msg_id = m.msg_id join instances i on i.id = m.instance_id
     where i.is_platform order by m.mail_id`,
  );

const job = async (assignments: string): Promise<unknown> =>
  await service.db.query(`update jobs set ${assignments} where name = 'rights_reminders'`);

/** Runs the job as its node does, once. */
async function runJob(): Promise<void> {
  const runs = async (): Promise<unknown> =>
    (
      await service.db.query<{ at: Date | null }>(
        `select last_run_at as at from jobs where name = 'rights_reminders'`,
      )
    )[0]?.at?.getTime();
  const beforeIt = await runs();
  await job('next_run_at = now()');
  await waitFor(async () => (await runs()) !== beforeIt, { what: 'the job to run', timeout_ms: 30_000 });
}

test('owners and admins get one mail without names, in their language, and another one when a request is late', async () => {
  const tenant = await service.tenant();
  const admin = await signIn(service, tenant, 'admin');
  await signIn(service, tenant, 'viewer');
  await signIn(service, await service.tenant(), 'admin');
  await service.db.query(`update users set language = 'en' where email = $1`, [admin.login.email]);
  const contacts = [{ contact: 'ana@example.com', contact_type: 'email_address' }];
  for (const kind of ['access', 'erasure']) await tenant.api.post('/v1/rights-requests', { kind, contacts });
  await runJob();
  assert.deepEqual(await written(), [], 'nothing is due yet');

  await service.db.query(`update rights_requests set due_at = now() + interval '3 days'`);
  await runJob();
  const [mail, ...others] = await written();
  assert.deepEqual(others, [], 'one for both requests, and none to the viewer, nor to another instance');
  assert.equal(mail?.recipient, admin.login.email);
  assert.match(mail?.subject ?? '', /^Rights requests to answer: /);
  assert.match(mail?.text ?? '', /due within seven days: 2\.[^]*\/panel\/rights/);
  assert.doesNotMatch(mail?.text ?? '', /ana@|Solicitudes/);
  await runJob();
  assert.equal((await written()).length, 1);

  await service.db.query(
    `update rights_requests set due_at = now() - interval '1 minute', reminded_at = now() - interval '3 days'`,
  );
  await runJob();
  assert.match((await written())[1]?.text ?? '', /overdue: 2\./);
});
