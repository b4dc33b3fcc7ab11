import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { MailTokens } from '../mails/index.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { senderDomain, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';
import { receivedBy } from './received-message.fixture.ts';
import { submitTo } from './submit-message.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,web,delivery,submission' });
});
after(async () => await bed.stop());

const html = '<p>Hola <a href="https://shop.example/a">a</a></p>';

test('the name of the sender and several addresses for replies arrive, also when sent again', async (t) => {
  const { domain, mx } = await bed.remote(t);
  const reply_to = [{ email: `help@${senderDomain}`, name: 'Ayuda, «Ñ»' }, { email: 'sales@elsewhere.test' }];
  const sender_name = 'Ñusta "Q" <ceo@bank.example>, Ventas '.repeat(3).trim();
  await bed.send(`a@${domain}`, { sender_name, reply_to });
  await bed.becomes(`a@${domain}`, 3);
  const developer = await signIn(bed.service, bed.tenant, 'developer');
  const [mail] = await bed.service.db.query<{ mail_id: string }>(
    'select mail_id from mails where recipient = $1',
    [`a@${domain}`],
  );
  const again = await developer.post(`/v1/private/mails/${mail?.mail_id}/resend`);
  assert.equal(again.status, 200, again.text);
  for (const { email } of await receivedBy(bed, mx, { t, count: 2 })) {
    assert.deepEqual(email.from, { address: `hi@${senderDomain}`, name: sender_name });
    assert.deepEqual(
      email.replyTo?.map(({ address, name }) => [address, name]),
      [
        [`help@${senderDomain}`, 'Ayuda, «Ñ»'],
        ['sales@elsewhere.test', ''],
      ],
    );
  }
});

test('a send without tracking has no pixel, or keeps its links, or both', async (t) => {
  for (const tracking of [{ opens: false, clicks: false }, { opens: false }, { clicks: false }] as const) {
    const { domain, mx } = await bed.remote(t);
    await bed.send(`http@${domain}`, { html, tracking });
    const options = [
      'opens' in tracking ? 'X-Chq-Track-Opens: false\r\n' : '',
      'clicks' in tracking ? 'X-Chq-Track-Clicks: no\r\n' : '',
    ].join('');
    await submitTo(
      bed,
      `From: hi@${senderDomain}\r\nTo: smtp@${domain}\r\nSubject: x\r\n${options}MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html}\r\n`,
      `smtp@${domain}`,
    );
    for (const { email, header } of await receivedBy(bed, mx, { t, count: 2 })) {
      assert.equal(/\/o\//.test(email.html ?? ''), !('opens' in tracking), JSON.stringify(tracking));
      assert.equal(email.html?.includes('https://shop.example/a"'), 'clicks' in tracking);
      assert.equal(header('x-chq-track-opens'), undefined);
    }
  }
});

test('each recipient answers to an address of their own on request, over HTTP and SMTP', async (t) => {
  const { domain, mx } = await bed.remote(t);
  await bed.send(`http@${domain}`, { reply_token: true });
  const submit = async (more: string): Promise<void> =>
    await submitTo(
      bed,
      `From: hi@${senderDomain}\r\nTo: smtp@${domain}\r\nSubject: x\r\nX-Chq-Reply-Token: true\r\n${more}\r\nx\r\n`,
      `smtp@${domain}`,
    );
  await submit('');
  const mails = await bed.service.db.query<{ mail_id: string; recipient: string }>(
    'select mail_id, recipient from mails where recipient like $1',
    [`%@${domain}`],
  );
  const tokens = new MailTokens(new RootSecret('a root secret for tests, and for tests alone'));
  for (const { email, header } of await receivedBy(bed, mx, { t, count: 2 })) {
    const [, token = ''] = /^reply\+([0-9a-f]{48})@/.exec(email.replyTo?.[0]?.address ?? '') ?? [];
    assert.equal(email.replyTo?.[0]?.address?.split('@')[1], senderDomain);
    const mail = mails.find(({ recipient }) => recipient === email.to?.[0]?.address);
    assert.equal(tokens.read('reply', token), mail?.mail_id);
    assert.equal(header('x-chq-reply-token'), undefined);
  }
  await assert.rejects(submit('Reply-To: a@b.example\r\n'), /554 5\.6\.0 .*one Reply-To/);
  const both = { reply_token: true, reply_to: { email: 'a@b.example' } };
  const refused = await bed.tenant.api.post('/v1/mails/send', {
    sender_email: `hi@${senderDomain}`,
    to: [{ email: 'a@sandbox.test' }],
    subject: 'x',
    html: 'x',
    ...both,
  });
  assert.equal(refused.status, 422);
  assert.equal(refused.json.errors?.[0]?.pointer ?? JSON.stringify(refused.json), '/reply_token');
});

test('the explanation of a delivered mail does not wait for opens that are not recorded', async (t) => {
  const { domain } = await bed.remote(t);
  const adviceOf = async (name: string, more: Record<string, unknown>): Promise<string> => {
    await bed.send(`${name}@${domain}`, more);
    await bed.becomes(`${name}@${domain}`, 3);
    const [mail] = await bed.service.db.query<{ mail_id: string }>(
      'select mail_id from mails where recipient = $1',
      [`${name}@${domain}`],
    );
    const { json } = await bed.tenant.api.get(`/v1/mails/${mail?.mail_id}/explanation`);
    return JSON.stringify(json.advice);
  };
  assert.notEqual(await adviceOf('tracked', {}), await adviceOf('untracked', { tracking: { opens: false } }));
});

test('a submitted message is refused where its options could not do what they say', async () => {
  const submit = async (header: string): Promise<void> =>
    await submitTo(
      bed,
      `From: hi@${senderDomain}\r\nTo: a@sandbox.test\r\nSubject: x\r\n${header}\r\n\r\nx\r\n`,
      'a@sandbox.test',
    );
  for (const [header, reply] of [
    ['X-Chq-Track-Opens: maybe', /554 5\.6\.0 .*X-Chq-Track-Opens is true or false/],
    ['X-Chq-Template-Alias: welcome', /550 5\.7\.1 mail_template_not_found/],
    ['X-Chq-Sender-Name: Ana', /554 5\.6\.0 .*From has the name/],
  ] as const) {
    await assert.rejects(submit(header), reply);
  }
});
