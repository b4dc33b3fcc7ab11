import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ContactHashes } from '../base/contact-hash.ts';
import { renderer } from '../../test/support/template-renderer.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { RootSecret } from '../base/secrets.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { suppressContacts } from '../restrictions/index.ts';
import { createTemplate, publishTemplate } from '../templates/templates.ts';
import { openAccount, startAccepting, storedMails, type Account, type Body } from './account.fixture.ts';

let service: TestService;
before(async () => {
  service = await startAccepting();
});
after(async () => await service.stop());

const file = (bytes: number) => ({
  type: 'application/pdf',
  filename: 'a.pdf',
  content: Buffer.alloc(bytes, 7).toString('base64'),
});

/** Recipient, status, whether it is in the queue and why it was dropped, of each mail of an accepted send. */
async function outcome(account: Account, changes: Body): Promise<unknown[][]> {
  const { status, json, text } = await account.send(changes);
  assert.equal(status, 200, text);
  const mails = await storedMails(service, json.message_id);
  return mails.map(({ recipient, status: code, is_queued, reason }) => [recipient, code, is_queued, reason]);
}

async function restrict({ instance }: Account, ...addresses: string[]): Promise<void> {
  for (const address of addresses) {
    await service.db.query(
      `insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'hard_bounce')`,
      [instance.id, address],
    );
  }
}

async function used({ instance }: Account): Promise<number> {
  const [row] = await service.db.query<{ used: number }>(
    'select used from plan_usage where instance_id = $1',
    [instance.id],
  );
  return row?.used ?? 0;
}

test('attachments of 1 MB are sent; an octet more and the send is accepted and all its mails dropped', async () => {
  const account = await openAccount(service);
  const mebibyte = 1024 * 1024;
  const to = [{ email: 'a@sandbox.test' }, { email: 'b@sandbox.test' }];
  assert.deepEqual(await outcome(account, { to, attachments: [file(mebibyte)] }), [
    ['a@sandbox.test', 2, true, null],
    ['b@sandbox.test', 2, true, null],
  ]);
  assert.deepEqual(await outcome(account, { to, attachments: [file(mebibyte - 1), file(2)] }), [
    ['a@sandbox.test', 4, false, 'attachments_over_limit'],
    ['b@sandbox.test', 4, false, 'attachments_over_limit'],
  ]);
});

test('the weight allowed is the instance’s own', async () => {
  const wide = await openAccount(service, { settings: { attachment_limit_bytes: 10 * 1024 * 1024 } });
  const none = await openAccount(service, { settings: { attachment_limit_bytes: 0 } });
  const to = [{ email: 'a@sandbox.test' }];
  const large = { to, attachments: [file(2 * 1024 * 1024)] };
  assert.deepEqual(await outcome(wide, large), [['a@sandbox.test', 2, true, null]]);
  assert.deepEqual(await outcome(none, { to }), [['a@sandbox.test', 2, true, null]]);
  assert.deepEqual(await outcome(none, { to, attachments: [file(1)] }), [
    ['a@sandbox.test', 4, false, 'attachments_over_limit'],
  ]);
});

test('a restricted recipient is dropped, in any letters, and the others are written to', async () => {
  const account = await openAccount(service);
  await restrict(account, 'gone@sandbox.test', 'Complained@Sandbox.test');
  const to = ['GONE@sandbox.test', 'ana@sandbox.test'].map((email) => ({ email }));
  const bcc = [{ email: 'complained@SANDBOX.test' }];
  assert.deepEqual(await outcome(account, { to, bcc }), [
    ['GONE@sandbox.test', 4, false, 'recipient_restricted'],
    ['ana@sandbox.test', 2, true, null],
    ['complained@sandbox.test', 4, false, 'recipient_restricted'],
  ]);
});

test('letters beyond ASCII are found as they were restricted, and in lower case', async () => {
  const account = await openAccount(service);
  await restrict(account, 'ÑANDÚ@sandbox.test', 'señal@sandbox.test');
  const to = ['ÑANDÚ@sandbox.test', 'ÑAndÚ@sandbox.test', 'SEÑAL@sandbox.test', 'ñ@sandbox.test'];
  for (const email of to) {
    const [mail] = await outcome(account, { to: [{ email }] });
    assert.equal(mail?.[3], email === 'ñ@sandbox.test' ? null : 'recipient_restricted', email);
  }
});

test('a restriction holds for its own instance, in test mode too, and for sends at the same moment', async () => {
  const [account, other] = [await openAccount(service), await openAccount(service)];
  await restrict(account, 'gone@sandbox.test');
  const to = [{ email: 'gone@sandbox.test' }];
  const outcomes = await Promise.all([
    outcome(account, { to }),
    outcome(other, { to }),
    outcome(account, { to, test_mode: true }),
    outcome(other, { to }),
  ]);
  assert.deepEqual(
    outcomes.map(([mail]) => mail?.[3]),
    ['recipient_restricted', null, 'recipient_restricted', null],
  );
});

/** As the erasure of a person leaves it. */
async function erase({ instance }: Account, address: string): Promise<void> {
  const hashes = new ContactHashes(new RootSecret('a root secret for tests, and for tests alone'));
  await suppressContacts(service.db, instance.id, {
    kind: 'erased',
    hashes: [hashes.ofAddress(instance.id, address)],
    request_id: 1,
    since: new Date(),
  });
}

/** All that was stored of a send, as text. */
async function keptOf(msg_id: string): Promise<string> {
  const rows = await service.db.query<{ kept: string }>(
    `select concat_ws(E'\\n', envelope, encode(html, 'escape'), encode(text, 'escape'), encode(variables, 'escape'))
       as kept from messages where msg_id = $1
     union all select m::text from mails m where msg_id = $1
     union all select t.tag from mail_tags t join mails m using (mail_id) where m.msg_id = $1
     union all select filename from message_attachments where msg_id = $1`,
    [msg_id],
  );
  assert.ok(rows.length > 1);
  return rows.map(({ kept }) => kept).join('\n');
}

test('a send to several recipients keeps no address, name, subject or variable of an erased one', async () => {
  const account = await openAccount(service);
  await erase(account, 'eva@sandbox.test');
  const actor = { kind: 'operator' } as const;
  const template = { name: 'T', subject: 'Hello {{ first }}', source: '<p>{{ all }}</p>' };
  const { id } = await createTemplate(service.db, account.instance.id, { template, actor, renderer });
  await publishTemplate(service.db, account.instance.id, { id, actor });
  const eva = { email: 'EVA@sandbox.test', name: 'Eva Erased', variables: { first: 'Evita' } };
  const ana = { email: 'ana@sandbox.test', name: 'Ana Kept', variables: { first: 'Anita' } };
  const kept = async (recipients: Body): Promise<string> => {
    const content = { subject: undefined, html: undefined, template_id: id };
    const changes = { ...content, template_variables: { all: 'everyone' }, ...recipients };
    const { status, json, text } = await account.send(changes);
    assert.equal(status, 200, text);
    return await keptOf(json.message_id);
  };
  for (const recipients of [{ to: [eva, ana] }, { to: [ana], cc: [eva] }, { to: [ana], bcc: [eva] }]) {
    const text = await kept(recipients);
    assert.doesNotMatch(text, /eva@|Eva Erased|Evita/i);
    for (const part of ['ana@sandbox.test', 'Ana Kept', 'Anita', 'everyone'])
      assert.ok(text.includes(part), part);
  }
  assert.doesNotMatch(await kept({ to: [eva] }), /eva@|Eva Erased|Evita|everyone/i);
});

test('a send only to an erased person keeps no content', async () => {
  const account = await openAccount(service);
  await erase(account, 'eva@sandbox.test');
  const { status, json, text } = await account.send({
    to: [{ email: 'eva@sandbox.test', name: 'Secret' }],
    subject: 'Secret',
    html: '<p>Secret</p>',
    text: 'Secret',
    headers: { 'X-Person': 'Secret' },
    attachments: [{ ...file(1), filename: 'Secret.pdf' }],
    custom_msg_id: 'Secret',
    tags: { person: 'Secret' },
  });
  assert.equal(status, 200, text);
  assert.doesNotMatch(await keptOf(json.message_id), /Secret|eva@/i);
});

async function withConsent(): Promise<Account> {
  const account = await openAccount(service);
  const [purpose] = await service.db.query<{ id: number }>(
    `select id from consent_purposes where instance_id = $1 and code = 'marketing'`,
    [account.instance.id],
  );
  await service.db.query(
    'update senders set requires_consent = true, consent_purpose_id = $2 where id = $1',
    [account.sender.id, purpose?.id],
  );
  return account;
}

test('a sender that requires consent does not reach who gave none; one that does not, and test mode, do', async () => {
  const account = await withConsent();
  await restrict(account, 'gone@example.com');
  const to = ['ana@example.com', 'gone@example.com'].map((email) => ({ email }));
  const from = { sender_email: account.sender.email };
  assert.deepEqual(await outcome(account, { ...from, to }), [
    ['ana@example.com', 4, false, 'consent_missing'],
    ['gone@example.com', 4, false, 'recipient_restricted'],
  ]);
  assert.deepEqual(await outcome(account, { ...from, to, test_mode: true }), [
    ['ana@example.com', 2, true, null],
    ['gone@example.com', 4, false, 'recipient_restricted'],
  ]);
  assert.deepEqual(await outcome(account, {}), [['delivered@sandbox.test', 2, true, null]]);
});

test('consent is asked for each recipient, in any letters: given it is written to, withdrawn it is dropped', async () => {
  const account = await withConsent();
  const { recordAllow, recordDeny, newsletter } = await openConsentAccount(service, account);
  await recordAllow('ana@example.com');
  await recordAllow('eva@example.com');
  await recordDeny('eva@example.com');
  await recordAllow('ida@example.com', { purpose_id: newsletter });
  await recordAllow('ñandú@ñandú.cl');
  const stranger = await openConsentAccount(service);
  await stranger.recordAllow('uma@example.com');
  const to = ['Ana@Example.com', 'EVA@example.com', 'ida@example.com', 'uma@example.com', 'ÑANDÚ@ñandú.cl'];
  const mail = { sender_email: account.sender.email, to: to.map((email) => ({ email })) };
  assert.deepEqual(await outcome(account, mail), [
    ['Ana@example.com', 2, true, null],
    ['EVA@example.com', 4, false, 'consent_revoked'],
    ['ida@example.com', 4, false, 'consent_missing'],
    ['uma@example.com', 4, false, 'consent_missing'],
    ['ÑANDÚ@xn--and-6ma2c.cl', 2, true, null],
  ]);
});

test('test mode marks the message and its mails', async () => {
  const account = await openAccount(service);
  for (const test_mode of [true, false, undefined]) {
    const { json } = await account.send({ test_mode });
    const [message] = await service.db.query('select test_mode from messages where msg_id = $1', [
      json.message_id,
    ]);
    assert.deepEqual(message, { test_mode: test_mode ?? false });
    const [mail] = await storedMails(service, json.message_id);
    assert.equal(mail?.test_mode, test_mode ?? false);
  }
});

test('dropped recipients and those of the sandbox are not counted in the plan', async () => {
  const account = await openAccount(service, { settings: { plan_send_limit: 3 } });
  await restrict(account, 'person-0@example.com');
  assert.equal((await account.sendOut(2)).status, 200);
  assert.equal(await used(account), 1);
  const sandbox = ['a@sandbox.test', 'b@x.sandbox.test', 'c@SANDBOX.TEST'].map((email) => ({ email }));
  assert.equal((await account.sendOut(1, { to: sandbox })).status, 200);
  assert.equal((await account.sendOut(3, { attachments: [file(1024 * 1024 + 1)] })).status, 200);
  assert.equal(await used(account), 1);
  assert.equal((await account.sendOut(2, { cc: sandbox })).status, 200);
  assert.equal(await used(account), 2);
});

test('a full plan refuses only what it would count', async () => {
  const account = await openAccount(service, { settings: { plan_send_limit: 1 } });
  await restrict(account, 'person-0@example.com');
  assert.equal((await account.sendOut(2)).status, 200, 'one is dropped, one fits');
  assert.equal((await account.sendOut(2)).json.code, 'plan_send_limit_exceeded');
  assert.equal((await account.sendOut(1)).status, 200, 'the one is dropped');
  assert.equal((await account.sendOut(50, { attachments: [file(1024 * 1024 + 1)] })).status, 200);
  assert.equal((await account.send()).status, 200, 'the sandbox is free');
  assert.equal(await used(account), 1);
});

test('dropped mail takes nothing from the line', async () => {
  const settings = { bandwidth_burst_bytes: 20_000, bandwidth_bytes_per_second: 1 };
  const account = await openAccount(service, { settings });
  await restrict(account, 'gone@sandbox.test');
  const changes = { to: [{ email: 'gone@sandbox.test' }], html: 'x'.repeat(30_000), text: 'x' };
  for (let count = 0; count < 3; count += 1) assert.equal((await account.send(changes)).status, 200);
  assert.equal((await account.send({ ...changes, to: [{ email: 'a@sandbox.test' }] })).status, 413);
});

test('a dropped mail has one event, with the time it was received', async () => {
  const account = await openAccount(service);
  await restrict(account, 'gone@sandbox.test');
  const { json } = await account.send({ to: [{ email: 'gone@sandbox.test' }] });
  const rows = await service.db.query(
    `select e.event, e.status, e.reason, e.instance_id, e.at = m.received_at as at_once, m.queued_at
     from events e join mails m using (mail_id) where e.msg_id = $1`,
    [json.message_id],
  );
  assert.deepEqual(rows, [
    {
      event: 'dropped',
      status: 4,
      reason: 'recipient_restricted',
      instance_id: account.instance.id,
      at_once: true,
      queued_at: null,
    },
  ]);
});
