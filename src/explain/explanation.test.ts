import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { explain, explainedBy, mailOf } from './explanation.fixture.ts';

let service: TestService;
let account: ConsentAccount;
let sender: string;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  account = await openConsentAccount(service);
  sender = `test@${account.instance.slug}.sandbox.test`;
  await service.db.query('update senders set stream = $2 where instance_id = $1', [
    account.instance.id,
    'broadcast',
  ]);
});
after(async () => await service.stop());

async function send(to: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json, text } = await account.api.post('/v1/mails/send', {
    sender_email: sender,
    to: [{ email: to }],
    subject: 'Hola',
    html: '<p>Hola <a href="https://example.com/">aquí</a></p>',
    ...more,
  });
  assert.equal(status, 200, text);
  return await mailOf(service, json.message_id);
}

/** Nodes learn of a change that was made beside them a moment later. */
async function sendUntilDropped(to: string, more: Record<string, unknown> = {}): Promise<string> {
  return await waitFor(
    async () => {
      const id = await send(to, more);
      const { json } = await account.api.get(`/v1/mails/${id}`);
      return json.status === 4 && id;
    },
    { what: 'a change to hold' },
  );
}

test('mail to the sandbox was captured, and says so in the language of the reader', async () => {
  const mailId = await send('delivered@sandbox.test');
  const explanation = await explainedBy(account, mailId, 'sandbox_captured');
  assert.deepEqual([explanation.status, explanation.headline], [3, 'Captured in the sandbox']);
  assert.deepEqual([explanation.cause.side, explanation.next_attempt_at], ['none', null]);
  assert.match(
    explanation.evidence.at(-1)?.text ?? '',
    /^Attempt 1 at sandbox: the mail was accepted\. Reply: "250 2\.0\.0 /,
  );
  const spanish = await explain(account, mailId, 'es');
  assert.equal(spanish.headline, 'Capturado en el sandbox');
  assert.equal(spanish.evidence[0]?.text, 'El correo fue aceptado.');
  const mixed = await account.api.get(`/v1/mails/${mailId}/explanation`, {
    'accept-language': 'de, es-CL;q=0.9, en;q=0.8',
  });
  assert.equal(mixed.headers.get('content-language'), 'es');
  assert.equal(mixed.headers.get('vary'), 'accept-language');
});

describe('the actions of a scripted recipient are explained', { concurrency: 4 }, () => {
  for (const [script, code, headline] of [
    ['open', 'opened', 'Delivered and opened'],
    ['click', 'clicked', 'Delivered and clicked'],
    ['unsubscribe', 'unsubscribed', 'Delivered; the recipient unsubscribed'],
    ['complaint', 'complained', 'Delivered; the recipient complained about it'],
    ['bounce', 'no_such_user', 'Not delivered: the address does not exist'],
    ['softbounce', 'mailbox_full', 'Delayed: the mailbox is full'],
  ] as const) {
    test(script, async () => {
      const explanation = await explainedBy(account, await send(`${script}+seen@sandbox.test`), code);
      assert.equal(explanation.headline, headline);
      assert.match(explanation.summary, /sandbox recipient/);
    });
  }
});

test('a hard bounce restricts, the next mail is dropped for it, and what was lifted since is told', async () => {
  const bounced = await explainedBy(account, await send('bounce+twice@sandbox.test'), 'no_such_user');
  assert.match(bounced.summary, /No further attempt is made\. The address is restricted from now on/);
  const next = await send('bounce+twice@sandbox.test');
  const dropped = await explainedBy(account, next, 'recipient_restricted');
  assert.deepEqual([dropped.status, dropped.cause.side], [4, 'recipient']);
  assert.match(
    dropped.summary,
    /restricted since \w{3} \d+, 20\d\d, \d+:\d\d [AP]M UTC \(a mail to it bounced permanently\)/,
  );
  const restricted = dropped.evidence.find(
    ({ text }) => text === 'The address was restricted (hard_bounce).',
  );
  assert.equal(restricted?.kind, 'record');
  assert.ok(dropped.evidence.some(({ kind }) => kind === 'log'));
  await service.db.query("delete from restrictions where recipient = 'bounce+twice@sandbox.test'");
  const lifted = await explain(account, next);
  assert.deepEqual(lifted.advice, ['Send the mail again: nothing prevents it any more.']);
});

test('a broadcast to who unsubscribed says since when', async () => {
  await explainedBy(account, await send('unsubscribe+twice@sandbox.test'), 'unsubscribed');
  const explanation = await explainedBy(
    account,
    await send('unsubscribe+twice@sandbox.test'),
    'recipient_unsubscribed',
  );
  assert.match(explanation.summary, /unsubscribed from broadcast mail on \w{3} \d+, 20\d\d/);
});

test('attachments beyond the limit are named with the limit', async () => {
  await service.db.query('update instances set attachment_limit_bytes = 10 where id = $1', [
    account.instance.id,
  ]);
  const content = Buffer.alloc(11).toString('base64');
  const files = { attachments: [{ filename: 'a.txt', content, type: 'text/plain' }] };
  const dropped = await sendUntilDropped('delivered@sandbox.test', files);
  const explanation = await explainedBy(account, dropped, 'attachments_over_limit');
  assert.match(explanation.summary, /\(10 bytes\)/);
});

test('consent: missing, withdrawn with date and term, and given since', async () => {
  const { marketing, instance } = account;
  await service.db.query(
    'update senders set requires_consent = true, consent_purpose_id = $2 where instance_id = $1',
    [instance.id, marketing],
  );
  const missing = await sendUntilDropped('eva@sandbox.test');
  const explanation = await explainedBy(account, missing, 'consent_missing');
  assert.equal(explanation.cause.side, 'sender');
  assert.match(explanation.summary, /no consent of eva@sandbox\.test was on record/);

  await account.recordAllow('eva@sandbox.test');
  await account.recordDeny('eva@sandbox.test');
  const withdrawn = await explainedBy(account, await send('eva@sandbox.test'), 'consent_revoked');
  assert.match(
    withdrawn.summary,
    /withdrew consent to “\w+” on \w{3} \d+, 20\d\d, \d+:\d\d [AP]M UTC .*under the term “Term \d+”/,
  );
  assert.match(withdrawn.advice[0] ?? '', /a new consent is needed/);
  assert.ok(
    withdrawn.evidence.some(({ text }) => /^Consent to “\w+” was withdrawn under the term/.test(text)),
  );

  await account.recordAllow('eva@sandbox.test');
  assert.match(
    (await explain(account, missing)).advice.join(),
    /Consent has been on record since .*: send the mail again/,
  );
  await service.db.query('update senders set requires_consent = false where instance_id = $1', [instance.id]);
});

test('a paused destination holds the mail up, and nothing is planned', async () => {
  await pauseDestination(service, account.instance.id, 'paused.sandbox.test');
  const explanation = await explainedBy(account, await send('ana@paused.sandbox.test'), 'destination_paused');
  assert.deepEqual(
    [explanation.status, explanation.next_attempt_at, explanation.cause.side],
    [2, null, 'sender'],
  );
  assert.match(explanation.advice[0] ?? '', /paused\.sandbox\.test/);
  assert.ok(explanation.evidence.some(({ text }) => text === 'Delivery to paused.sandbox.test was paused.'));
});

test('mail of others is not there, and a key needs the scope', async () => {
  const mailId = await send('delivered@sandbox.test');
  const other = await service.tenant();
  const answerOf = async (id: string, api = account.api) =>
    (await api.get(`/v1/mails/${id}/explanation`)).json.code;
  assert.equal(await answerOf(mailId, other.api), 'mail_not_found');
  assert.equal(await answerOf('nonsense'), 'mail_not_found');
  assert.equal(await answerOf('01900000-0000-7000-8000-000000000000'), 'mail_outside_retention');
  const sending = await service.tenant({ scopes: ['mail:send'] });
  assert.equal((await sending.api.get(`/v1/mails/${mailId}/explanation`)).status, 403);
});
