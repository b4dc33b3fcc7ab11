import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { domain, startInboundBed, tokens, type InboundBed } from '../../inbound/inbound-bed.fixture.ts';
import { addReceived } from '../received-rows.fixture.ts';
import { findAnsweredMail } from './find-answered-mail.ts';
import { offerWithdrawal, recordOffered } from './withdrawals.ts';

let bed: InboundBed;
let domain_id: number;
before(async () => {
  bed = await startInboundBed();
  const [row] = await bed.service.db.query<{ id: number }>('select id from domains where domain = $1', [
    domain,
  ]);
  domain_id = row?.id ?? 0;
});
after(async () => await bed.stop());

async function messageOf(mailId: string): Promise<string> {
  const [row] = await bed.service.db.query<{ msg_id: string }>(
    'select msg_id from mails where mail_id = $1',
    [mailId],
  );
  return `${row?.msg_id}@${domain}`;
}

test('an answer finds its mail by token, In-Reply-To or References, within its instance only', async () => {
  const { service, tenant, other } = bed;
  const find = async (signs: object, instance = tenant): Promise<string | undefined> => {
    const none = {
      recipient: `ventas@${domain}`,
      from_address: 'ana@example.net',
      in_reply_to: null,
      reference_ids: [],
    };
    const found = await findAnsweredMail({ db: service.db, tokens }, instance.instance.id, {
      ...none,
      ...signs,
    });
    return found?.mail_id;
  };
  const mail_id = await bed.sentMail('ana@example.net');
  const message = await messageOf(mail_id);
  const tied = `reply+${tokens.make('reply', mail_id)}@${domain}`;
  assert.equal(await find({ recipient: tied }), mail_id);
  assert.equal(await find({ recipient: `reply+${tokens.make('bounce', mail_id)}@${domain}` }), undefined);
  assert.equal(await find({ in_reply_to: message }), mail_id);
  assert.equal(await find({ in_reply_to: `<${message}>`, from_address: 'secretary@example.net' }), mail_id);
  assert.equal(await find({ reference_ids: ['other@example.net', message] }), mail_id);
  for (const signs of [{ recipient: tied }, { in_reply_to: message }])
    assert.equal(await find(signs, other), undefined);
  assert.equal(await find({ in_reply_to: 'x@example.net', reference_ids: [''] }), undefined);
});

test('of several recipients the one that answers is found', async () => {
  const { service, tenant } = bed;
  const to = [{ email: 'one@example.net' }, { email: 'two@example.net' }];
  const sent = { sender_email: `hi@${domain}`, to, subject: 'x', html: 'x' };
  const { json } = await tenant.api.post('/v1/mails/send', sent);
  const signs = { recipient: `x@${domain}`, in_reply_to: `${json.message_id}@${domain}`, reference_ids: [] };
  const find = async (from_address: string) =>
    await findAnsweredMail({ db: service.db, tokens }, tenant.instance.id, { ...signs, from_address });
  assert.equal((await find('TWO@example.net'))?.recipient, 'two@example.net');
  assert.equal(await find('three@example.net'), undefined);
});

const opt_out = { words: 'baja', language: 'es' as const };

async function answerTo(mail_id: string): Promise<string> {
  const { service, tenant } = bed;
  const row = { instance_id: tenant.instance.id, domain_id, recipient: `ventas@${domain}` };
  return await addReceived(service, { ...row, mail_from: 'ana@example.net', in_reply_to_mail_id: mail_id });
}

test('a withdrawal is offered, recorded once by a person, and shown on the timeline of the mail', async () => {
  const { service, tenant } = bed;
  const mail_id = await bed.sentMail('ana@example.net');
  const received_mail_id = await answerTo(mail_id);
  const given = { received_mail_id, mail_id, from_address: 'Ana@example.net', opt_out, is_authentic: true };
  assert.deepEqual(await offerWithdrawal(service.db, tenant.instance.id, given), { is_automatic: false });
  assert.equal(await offerWithdrawal(service.db, tenant.instance.id, given), undefined);
  const { json } = await tenant.api.get('/v1/reply-withdrawals?state=offered');
  assert.equal(json.data[0].words, 'baja');
  const path = `/v1/reply-withdrawals/${received_mail_id}`;
  assert.equal((await bed.other.api.post(`${path}/accept`)).status, 404);
  const accepted = await tenant.api.post(`${path}/accept`);
  assert.equal(accepted.json.state, 'recorded', accepted.text);
  assert.equal((await tenant.api.post(`${path}/dismiss`)).status, 409);
  const unsubscribed = await tenant.api.get(`/v1/mail-unsubscribes/${mail_id}`);
  const logs = await tenant.api.get(`/v1/mails/${mail_id}/logs`);
  const replied = logs.json.data.find(({ event }: { event: string }) => event === 'replied');
  assert.equal(replied.received_mail_id, received_mail_id);
  assert.equal(replied.detail, 'ana@example.net');
  assert.equal(unsubscribed.json.method, 'reply', unsubscribed.text);
});

test('who is not the recipient withdraws nothing, and the setting decides what is recorded at once', async () => {
  const { service, tenant } = bed;
  const mail_id = await bed.sentMail('bea@example.net');
  const offer = async (more: object): Promise<boolean | undefined> => {
    const given = {
      received_mail_id: await answerTo(mail_id),
      mail_id,
      from_address: 'bea@example.net',
      opt_out,
      is_authentic: true,
    };
    const offered = await offerWithdrawal(service.db, tenant.instance.id, { ...given, ...more });
    const { received_mail_id } = given;
    if (offered?.is_automatic)
      await recordOffered(service.db, tenant.instance.id, { received_mail_id, at: new Date() });
    return offered?.is_automatic;
  };
  assert.equal(await offer({ from_address: 'mallory@example.net' }), undefined);
  const set = async (reply_withdrawal: string): Promise<void> => {
    const changed = await service.db.query(
      'update instances set reply_withdrawal = $1 where id = $2 returning id',
      [reply_withdrawal, tenant.instance.id],
    );
    assert.equal(changed.length, 1);
  };
  await set('automatic');
  assert.equal(await offer({ is_authentic: false }), false);
  assert.equal(await offer({}), true);
  assert.equal((await tenant.api.get(`/v1/mail-unsubscribes/${mail_id}`)).json.method, 'reply');
  await set('off');
  assert.equal(await offer({}), undefined);
  await set('offer');
});
