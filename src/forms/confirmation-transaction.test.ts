import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { createFormAccount, type FormAccount } from './form-account.fixture.ts';

let service: TestService;
let account: FormAccount;
let form: { id: number; public_token: string };
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
  const wanted = {
    name: 'Form',
    kind: 'consent',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: account.sender_id,
    items: [
      { kind: 'field', field_id: account.fields['EMAIL'] },
      { kind: 'consent', term_id: account.term_id },
    ],
  };
  form = (await account.panel.post('/v1/private/forms', wanted)).json;
});
after(async () => await service.stop());

async function submit(email: string): Promise<number> {
  const body = new URLSearchParams({ EMAIL: email, consent: String(account.term_id) });
  const url = `${service.base_url}/f/${form.public_token}`;
  return (await fetch(url, { method: 'POST', body, redirect: 'manual' })).status;
}

/** What there is about an address: submissions, mails, consents, audit events. */
async function kept(email: string): Promise<unknown> {
  const [row] = await service.db.query(
    `select (select count(*) from form_submissions where answers ->> 'EMAIL' = $1) as submissions,
       (select count(*) from mails m join queue q using (mail_id) where m.recipient = $1) as queued,
       (select count(*) from consent_rules where contact = $1) as consents,
       (select count(*) from audit_events where details ->> 'email' = $1) as audited`,
    [email],
  );
  return row;
}

/** While the database refuses rows of a table that belong to the address. */
async function whileRefused(table: string, condition: string, work: () => Promise<void>): Promise<void> {
  const { db } = service;
  await db.query(`create function refuse_row() returns trigger language plpgsql as
    $$ begin if ${condition} then raise exception 'refused'; end if; return new; end $$`);
  await db.query(
    `create trigger refused before insert on ${table} for each row execute function refuse_row()`,
  );
  try {
    await work();
  } finally {
    await db.query(`drop trigger refused on ${table}`);
    await db.query('drop function refuse_row');
  }
}

const all = { submissions: 1, queued: 1, consents: 1, audited: 1 };
const nothing = { submissions: 0, queued: 0, consents: 0, audited: 0 };

test('a submission and the mail that asks to confirm it are stored together', async () => {
  assert.equal(await submit('both@sandbox.test'), 303);
  assert.deepEqual(await kept('both@sandbox.test'), all);
});

test('a submission is not stored when its confirmation cannot be queued', async () => {
  const email = 'unqueued@elsewhere.sandbox.test';
  await whileRefused('queue', `new.destination = 'elsewhere.sandbox.test'`, async () => {
    assert.equal(await submit(email), 500);
  });
  assert.deepEqual(await kept(email), nothing);
  assert.equal(await submit(email), 303);
  assert.deepEqual(await kept(email), all);
});

test('a confirmation is not sent when its submission cannot be stored', async () => {
  const email = 'unstored@sandbox.test';
  await whileRefused('consent_rules', `new.contact = '${email}'`, async () => {
    assert.equal(await submit(email), 500);
  });
  assert.deepEqual(await kept(email), nothing);
});

test('a mail that fails does not count toward a limit: the next one is sent', async () => {
  const email = 'counted@elsewhere.sandbox.test';
  await whileRefused('queue', `new.destination = 'elsewhere.sandbox.test'`, async () => {
    for (let n = 0; n < 5; n += 1) assert.equal(await submit(email), 500);
  });
  assert.equal(await submit(email), 303);
  assert.deepEqual(await kept(email), all);
});
