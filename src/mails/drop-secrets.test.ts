import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { runErasures } from '../rights/run-erasures.ts';
import { dropSecrets } from './drop-secrets.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api,web' });
});
after(async () => await service.stop());

const job = () => ({ db: service.db, now: new Date(), isStopping: () => false });

async function adminOf(tenant: Tenant): Promise<PanelUser> {
  return await signIn(service, tenant, 'owner');
}

async function invite(admin: PanelUser, email: string): Promise<void> {
  const invited = await admin.post('/v1/private/team/invitations', { email, role: 'viewer' });
  assert.equal(invited.status, 201, invited.text);
}

interface Written {
  mail_id: string;
  recipient: string;
  category: string;
  custom_group_code: string | null;
  has_link: boolean;
}

/** What the platform wrote to an address, or to what stands for it. */
const writtenTo = async (recipient: string, since: Date): Promise<Written[]> =>
  await service.db.query<Written & Record<string, unknown>>(
    `select m.mail_id, m.recipient, c.slug as category, m.custom_group_code,
       coalesce(convert_from(g.html, 'UTF8') like '%#%', false) as has_link
     from mails m join messages g on g.msg_id = m.msg_id join instances i on i.id = m.instance_id
     join categories c on c.id = m.category_id
     where i.is_platform and m.recipient = $1 and m.received_at >= $2 order by m.mail_id`,
    [recipient, since],
  );

/** As if they had been delivered. */
async function deliver(recipient: string): Promise<void> {
  await service.db.query(
    `with sent as (
       update mails set status = 3, sent_at = now() where recipient = $1 returning mail_id
     ) delete from queue where mail_id in (select mail_id from sent)`,
    [recipient],
  );
  await service.db.query(`delete from mail_subjects_pending`);
}

test('the content of mail with a link that lets in goes once the mail has its outcome, and no other does', async () => {
  const since = new Date();
  const admin = await adminOf(await service.tenant());
  await invite(admin, 'waits@example.org');
  await invite(admin, 'invited@example.org');
  const { json } = await admin.post('/v1/private/domains', { domain: 'drop-secrets.example' });
  const sent = await admin.post(`/v1/private/domains/${json.id}/send-dns`, { email: 'dns@example.org' });
  assert.equal(sent.status, 204, sent.text);
  await deliver('invited@example.org');
  await deliver('dns@example.org');
  assert.equal(await dropSecrets(service.db, new Date()), 1);
  assert.equal(await dropSecrets(service.db, new Date()), 0, 'once');
  const linkTo = async (recipient: string) => (await writtenTo(recipient, since))[0]?.has_link;
  assert.deepEqual([await linkTo('waits@example.org'), await linkTo('invited@example.org')], [true, false]);
  const [records] = await service.db.query<{ html: Buffer | null }>(
    `select g.html from messages g join mails m on m.msg_id = g.msg_id where m.recipient = 'dns@example.org'`,
  );
  assert.match(String(records?.html), /drop-secrets\.example/);
});

test('links that choose a password, or open a request of a person, go like those that invite', async () => {
  const since = new Date();
  const admin = await adminOf(await service.tenant());
  const { email } = admin.login;
  await admin.post('/v1/private/auth/forgotten-password', { email });
  const { json } = await admin.get('/v1/private/rights-page');
  const asked = await fetch(service.base_url + new URL(json.url).pathname, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ kind: 'access', email }),
  });
  assert.equal(asked.status, 303);
  const kinds = async (): Promise<string[]> =>
    (await writtenTo(email, since)).map(({ category }) => category).toSorted();
  await waitFor(async () => (await kinds()).length === 2, { what: 'both mails' });
  assert.deepEqual(await kinds(), ['password-reset', 'rights-verification']);
  await deliver(email);
  assert.equal(await dropSecrets(service.db, new Date()), 2);
  const left = await service.db.query(
    `select from messages g join mails m on m.msg_id = g.msg_id where m.recipient = $1 and g.html is not null`,
    [email],
  );
  assert.equal(left.length, 0);
});

test('mail of the platform for an instance is erased by that instance only', async () => {
  const since = new Date();
  const ana = 'ana@example.org';
  const [mine, theirs] = [await service.tenant(), await service.tenant()];
  await invite(await adminOf(mine), ana);
  await invite(await adminOf(theirs), ana);
  const groups = [mine, theirs].map(({ instance }) => `instance-${instance.id}`);
  assert.deepEqual(
    (await writtenTo(ana, since)).map(({ category, custom_group_code }) => [category, custom_group_code]),
    groups.map((group) => ['invitation', group]),
  );
  await deliver(ana);
  const contacts = [{ contact: ana, contact_type: 'email_address' }];
  const { json } = await mine.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await mine.api.post(`/v1/rights-requests/${json.id}/fulfil`, {});
  assert.deepEqual(await runErasures(job()), { done: 1, left: 0 });
  assert.deepEqual(
    (await writtenTo(ana, since)).map(({ custom_group_code, has_link }) => [custom_group_code, has_link]),
    [[groups[1], true]],
  );
  assert.equal((await writtenTo('erased@erased.invalid', since)).length, 1);
});
