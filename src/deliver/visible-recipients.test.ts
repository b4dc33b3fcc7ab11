import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { Address } from 'postal-mime';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { addRestriction } from '../restrictions/change-restrictions.ts';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { senderDomain, startDeliveryBed, type DeliveryBed, type Remote } from './delivery-bed.fixture.ts';
import { receivedBy } from './received-message.fixture.ts';
import { submitTo } from './submit-message.fixture.ts';

let bed: DeliveryBed;
let account: ConsentAccount;
let template_id: number;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,web,delivery,submission' });
  const { db } = bed.service;
  account = await openConsentAccount(bed.service, bed.tenant);
  await db.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream, requires_consent, consent_purpose_id)
     values ($1, $2, 'Club', 'club@' || $3, 'transactional', true, $4)`,
    [account.instance.id, bed.domainId, senderDomain, account.marketing],
  );
  const [template] = await db.query<{ id: number }>(
    `insert into mail_templates (instance_id, name, subject, editor, source, html, is_published, published_at)
     values ($1, 'coupon', 'Your coupon', 'html', $2, $2, true, now()) returning id`,
    [account.instance.id, '<p>{{ coupon }}</p>'],
  );
  template_id = template?.id ?? 0;
});
after(async () => await bed.stop());

const news = `news@${senderDomain}`;
const club = `club@${senderDomain}`;
const coupon = (value: string) => ({ variables: { coupon: value } });
const ofTemplate = () => ({ template_id, subject: undefined, html: undefined });

/** Who is named in the header of the message of each recipient, by local part: `ana` → [`ana`, `eva`]. */
async function namedTo(
  t: TestContext,
  { mx }: Remote,
  count: number,
): Promise<Record<string, { to: string[]; cc: string[]; source: string }>> {
  const local = (address = ''): string => address.slice(0, address.lastIndexOf('@'));
  const all = await receivedBy(bed, mx, { t, count });
  const list = (mailboxes: Address[] = []): string[] =>
    mailboxes.flatMap(({ address, group }) => group?.map((each) => each.address) ?? address ?? []).map(local);
  return Object.fromEntries(
    all.map(({ message, email }) => [
      local(message.rcpt_to[0]),
      { to: list(email.to), cc: list(email.cc), source: message.data.toString('latin1') },
    ]),
  );
}

const lists = (named: Awaited<ReturnType<typeof namedTo>>): Record<string, [string[], string[]]> =>
  Object.fromEntries(Object.entries(named).map(([name, { to, cc }]) => [name, [to, cc]]));

/** Recipients at a remote server, by local part. */
const at =
  ({ domain }: Remote) =>
  (name: string, more: object = {}) => ({ email: `${name}@${domain}`, name: name.toUpperCase(), ...more });

test('a transactional message names the recipients of To and Cc', async (t) => {
  const remote = await bed.remote(t);
  const of = at(remote);
  await bed.send('', { to: [of('ana'), of('eva')], cc: [of('copy')], bcc: [of('hidden')] });
  const all = [['ana', 'eva'], ['copy']];
  assert.deepEqual(lists(await namedTo(t, remote, 4)), { ana: all, eva: all, copy: all, hidden: all });
});

test('recipients with variables of their own do not see each other, unless the send says so', async (t) => {
  const remote = await bed.remote(t);
  const of = at(remote);
  await bed.send('', { ...ofTemplate(), to: [of('ana', coupon('A1')), of('eva')], cc: [of('copy')] });
  assert.deepEqual(lists(await namedTo(t, remote, 3)), {
    ana: [['ana'], []],
    eva: [['eva'], []],
    copy: [['copy'], []],
  });
  const open = await bed.remote(t);
  const to = [at(open)('ana', coupon('A1')), at(open)('eva')];
  await bed.send('', { ...ofTemplate(), to, recipients_visible: 'all' });
  const all = [['ana', 'eva'], []];
  assert.deepEqual(lists(await namedTo(t, open, 2)), { ana: all, eva: all });
});

test('a transactional send hides its recipients from each other on request', async (t) => {
  const remote = await bed.remote(t);
  const of = at(remote);
  await bed.send('', {
    to: [of('ana'), of('eva', { name: 'Eva "Ñ", hija' })],
    bcc: [of('hidden')],
    recipients_visible: 'self',
  });
  const named = await namedTo(t, remote, 3);
  assert.deepEqual(lists(named), { ana: [['ana'], []], eva: [['eva'], []], hidden: [['hidden'], []] });
  for (const [name, { source }] of Object.entries(named)) {
    assert.equal(source.match(/^To: /gm)?.length, 1);
    const others = ['ana', 'eva', 'hidden'].filter((each) => each !== name);
    for (const other of others)
      assert.ok(!source.includes(`${other}@`), `${other} in the message of ${name}`);
  }
});

test('a broadcast names each recipient to themselves, and a send that wants more is refused', async (t) => {
  const remote = await bed.remote(t);
  const of = at(remote);
  const broadcast = { sender_email: news, to: [of('ana'), of('eva')], cc: [of('copy')] };
  await bed.send('', broadcast);
  assert.deepEqual(lists(await namedTo(t, remote, 3)), {
    ana: [['ana'], []],
    eva: [['eva'], []],
    copy: [['copy'], []],
  });
  const refused = await bed.tenant.api.post('/v1/mails/send', {
    ...broadcast,
    subject: 'Hola',
    html: '<p>Hola</p>',
    recipients_visible: 'all',
  });
  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(
    refused.json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
    [['/recipients_visible', 'value_error.broadcast_recipients']],
  );
});

test('other recipients do not see a person dropped at acceptance', async (t) => {
  const remote = await bed.remote(t);
  const of = at(remote);
  await account.recordAllow(`ana@${remote.domain}`);
  await account.recordAllow(`eva@${remote.domain}`);
  await bed.send('', { sender_email: club, to: [of('ana'), of('none'), of('eva')], cc: [of('gone')] });
  const restricted = await bed.remote(t);
  await addRestriction(bed.service.db, account.instance.id, {
    restriction: { recipient: `gone@${restricted.domain}` },
    actor: { kind: 'operator' },
  });
  await bed.send('', { to: [at(restricted)('ana')], cc: [at(restricted)('gone'), at(restricted)('copy')] });
  const all = [['ana', 'eva'], []];
  const named = await namedTo(t, remote, 2);
  assert.deepEqual(lists(named), { ana: all, eva: all });
  for (const { source } of Object.values(named)) assert.doesNotMatch(source, /none@|gone@/);
  assert.deepEqual(lists(await namedTo(t, restricted, 2)), {
    ana: [['ana'], ['copy']],
    copy: [['ana'], ['copy']],
  });
});

test('other recipients do not see a person dropped before an attempt', async (t) => {
  const { db } = bed.service;
  const remote = await bed.remote(t);
  const of = at(remote);
  for (const name of ['ana', 'withdrawn']) await account.recordAllow(`${name}@${remote.domain}`);
  await pauseDestination(bed.service, account.instance.id, remote.domain);
  await bed.send('', { sender_email: club, to: [of('ana'), of('withdrawn')] });
  await bed.send('', { to: [of('eva'), of('restricted')] });
  await submitTo(bed, submitted(`eve@${remote.domain}, "R" <restricted@${remote.domain}>`), [
    `eve@${remote.domain}`,
    `restricted@${remote.domain}`,
  ]);
  await account.recordDeny(`withdrawn@${remote.domain}`);
  await addRestriction(db, account.instance.id, {
    restriction: { recipient: `restricted@${remote.domain}` },
    actor: { kind: 'operator' },
  });
  await db.query('delete from paused_destinations');
  await db.query("select pg_notify('chasqui_queue', '')");
  const named = await namedTo(t, remote, 3);
  assert.deepEqual(lists(named), { ana: [['ana'], []], eva: [['eva'], []], eve: [['eve'], []] });
  for (const { source } of Object.values(named)) assert.doesNotMatch(source, /withdrawn|restricted/);
});

test('a recipient who got the message and complained later stays named to those who still wait', async (t) => {
  const { db } = bed.service;
  const [here, there] = [await bed.remote(t), await bed.remote(t)];
  await pauseDestination(bed.service, account.instance.id, there.domain);
  await bed.send('', { to: [at(here)('ana'), at(there)('eva')] });
  await bed.becomes(`ana@${here.domain}`, 3);
  await addRestriction(db, account.instance.id, {
    restriction: { recipient: `ana@${here.domain}` },
    actor: { kind: 'operator' },
  });
  await db.query('delete from paused_destinations');
  await db.query("select pg_notify('chasqui_queue', '')");
  assert.deepEqual(lists(await namedTo(t, there, 1)), { eva: [['ana', 'eva'], []] });
});

const submitted = (to: string, more = '', from = `hi@${senderDomain}`): string =>
  `From: ${from}\r\nTo: ${to}\r\n${more}Subject: Hola\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nHola\r\n`;

test('a submitted message keeps To and Cc, or names the recipient only when it asks for that', async (t) => {
  const remote = await bed.remote(t);
  const { domain } = remote;
  const everyone = ['ana', 'eva', 'hidden'].map((name) => `${name}@${domain}`);
  const to = `"Ana P." <ana@${domain}>, team: x@list.example;`;
  const cc = `Cc: eva@${domain}\r\n`;
  await submitTo(bed, submitted(to, cc), everyone);
  const all = [['ana', 'x'], ['eva']];
  const named = await namedTo(t, remote, 3);
  assert.deepEqual(lists(named), { ana: all, eva: all, hidden: all });
  for (const { source } of Object.values(named)) assert.ok(source.includes(`To: ${to}\r\n${cc}`));
  const other = await bed.remote(t);
  const more = `Cc: eva@${other.domain}\r\nX-Chq-Recipients-Visible: self\r\nDelivered-To: eva@${other.domain}\r\n`;
  await submitTo(bed, submitted(`"Ana P." <ana@${other.domain}>`, more), [
    `ana@${other.domain}`,
    `eva@${other.domain}`,
    `hidden@${other.domain}`,
  ]);
  const hidden = await namedTo(t, other, 3);
  assert.deepEqual(lists(hidden), { ana: [['ana'], []], eva: [['eva'], []], hidden: [['hidden'], []] });
  assert.doesNotMatch(hidden['hidden']?.source ?? '', /ana@|eva@|x-chq-/i);
  assert.match(hidden['ana']?.source ?? '', /^To: "Ana P\." <ana@/m);
});

test('a submitted broadcast names each recipient to themselves, and stays as it is when it does', async (t) => {
  const remote = await bed.remote(t);
  const [ana, eva] = ['ana', 'eva'].map((name) => `${name}@${remote.domain}`);
  await submitTo(bed, submitted('undisclosed-recipients:;', `Cc: ${eva}\r\n`, news), [ana ?? '', eva ?? '']);
  assert.deepEqual(lists(await namedTo(t, remote, 2)), { ana: [['ana'], []], eva: [['eva'], []] });
  const alone = await bed.remote(t);
  const raw = submitted(`"A, B" <one@${alone.domain}>`, '', news);
  await submitTo(bed, raw, [`one@${alone.domain}`]);
  const named = await namedTo(t, alone, 1);
  assert.ok(named['one']?.source.includes(raw.slice(raw.indexOf('To: '))));
  await assert.rejects(
    submitTo(bed, submitted(ana ?? '', 'X-Chq-Recipients-Visible: all\r\n', news), [ana ?? '']),
    /554 5\.6\.0 .*recipients_visible/,
  );
  await assert.rejects(
    submitTo(bed, submitted(ana ?? '', 'X-Chq-Recipients-Visible: some\r\n'), [ana ?? '']),
    /554 5\.6\.0 .*X-Chq-Recipients-Visible/,
  );
});

test('the panel, the sandbox and a resend agree with what was sent', async () => {
  const { instance, api } = bed.tenant;
  const developer = await signIn(bed.service, bed.tenant, 'developer');
  await addRestriction(bed.service.db, instance.id, {
    restriction: { recipient: 'gone@sandbox.test' },
    actor: { kind: 'operator' },
  });
  const toOf = async (mail_id: string): Promise<string> =>
    headerTo((await developer.get(`/v1/private/mails/${mail_id}/source`)).text);
  const send = async (more: object): Promise<Map<string, string>> => {
    const sent = await api.post('/v1/mails/send', {
      sender_email: `test@${instance.slug}.sandbox.test`,
      to: ['ana', 'eva', 'gone'].map((name) => ({ email: `${name}@sandbox.test` })),
      subject: 'Hola',
      html: '<p>Hola</p>',
      ...more,
    });
    return await mailsOf(sent.json.message_id);
  };
  for (const { more, ana, gone } of [
    {
      more: {},
      ana: 'ana@sandbox.test, eva@sandbox.test',
      gone: 'ana@sandbox.test, eva@sandbox.test, gone@sandbox.test',
    },
    { more: { recipients_visible: 'self' }, ana: 'ana@sandbox.test', gone: 'gone@sandbox.test' },
  ]) {
    const mails = await send(more);
    const mail_id = mails.get('ana@sandbox.test') ?? '';
    assert.equal(await toOf(mail_id), ana);
    assert.equal(await toOf(mails.get('gone@sandbox.test') ?? ''), gone, 'to the one who was dropped');
    assert.equal(await capturedTo(mail_id), ana);
    const again = await developer.post(`/v1/private/mails/${mail_id}/resend`);
    const [resent] = [...(await mailsOf(again.json.message_id)).values()];
    assert.equal(await toOf(resent ?? ''), 'ana@sandbox.test');
  }
});

test('a submitted message that is sent again names those that it named', async () => {
  const developer = await signIn(bed.service, bed.tenant, 'developer');
  const resentTo = async (more: string): Promise<string> => {
    const raw = submitted('ana@sandbox.test, off@sandbox.test', more);
    await submitTo(bed, raw, ['ana@sandbox.test', 'off@sandbox.test']);
    const [mail] = await bed.service.db.query<{ mail_id: string }>(
      `select mail_id from mails where recipient = 'ana@sandbox.test' and status > 1 order by mail_id desc limit 1`,
    );
    const again = await developer.post(`/v1/private/mails/${mail?.mail_id}/resend`);
    const [resent] = [...(await mailsOf(again.json.message_id)).values()];
    return await capturedTo(resent ?? '');
  };
  assert.equal(await resentTo(''), 'ana@sandbox.test, off@sandbox.test');
  assert.equal(await resentTo('X-Chq-Recipients-Visible: self\r\n'), 'ana@sandbox.test');
  await addRestriction(bed.service.db, bed.tenant.instance.id, {
    restriction: { recipient: 'off@sandbox.test' },
    actor: { kind: 'operator' },
  });
  assert.equal(await resentTo(''), 'ana@sandbox.test');
});

async function mailsOf(msg_id: string): Promise<Map<string, string>> {
  const rows = await bed.service.db.query<{ mail_id: string; recipient: string }>(
    'select mail_id, recipient from mails where msg_id = $1',
    [msg_id],
  );
  return new Map(rows.map(({ mail_id, recipient }) => [recipient, mail_id]));
}

const headerTo = (source: string): string =>
  /^To: (.*)$/m.exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim() ?? '';

async function capturedTo(mail_id: string): Promise<string> {
  let raw: Buffer | undefined;
  await waitFor(
    async () => {
      const [row] = await bed.service.db.query<{ raw: Buffer }>(
        'select raw from sandbox_messages where mail_id = $1',
        [mail_id],
      );
      raw = row?.raw;
      return raw !== undefined;
    },
    { what: `the capture of ${mail_id}` },
  );
  return headerTo(raw?.toString() ?? '');
}
