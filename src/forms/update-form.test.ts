import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { whileLocked } from '../../test/support/while-locked.ts';
import { RootSecret } from '../base/secrets.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { runErasures } from '../rights/run-erasures.ts';
import { createFormAccount, type FormAccount } from './form-account.fixture.ts';
import { SubmissionTokens } from './submission-token.ts';
import { visitorsOf, type FormVisitors } from './update-form.fixture.ts';
import { purgeUpdateLinksJob, UpdateTokens } from './update-links.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const confirmations = new SubmissionTokens(secret);
const clock = createMovableClock(new Date().toISOString());
let service: TestService;
let account: FormAccount;
let visitors: FormVisitors;
type MadeForm = Awaited<ReturnType<FormVisitors['makeForm']>>;
let registration: MadeForm;
let update: MadeForm;
before(async () => {
  service = await startTestService({
    roles: 'api,web',
    clock,
    env: {
      CHASQUI_TRUST_PROXY: 'true',
      CHASQUI_PLATFORM_MAIL_PER_RECIPIENT_DAY: '0',
      CHASQUI_CONFIRMATIONS_PER_INSTANCE_HOUR: '0',
    },
  });
  account = await createFormAccount(service);
  await openConsentAccount(service, account);
  visitors = visitorsOf(service, account, (id) => confirmations.make(id));
  const keys = ['EMAIL', 'FIRST_NAME', 'PHONE', 'ADDRESS'];
  registration = await visitors.makeForm(
    keys.map((key) => field(key)),
    { requires_confirmation: true },
  );
  update = await visitors.makeForm([field('EMAIL'), field('FIRST_NAME'), field('PHONE')], { type: 'update' });
});
after(async () => await service.stop());

const field = (key: string, more: object = {}) => ({ kind: 'field', field_id: account.fields[key], ...more });
const answersFor = (email: string) => ({
  EMAIL: email,
  FIRST_NAME: 'Ana <b>',
  PHONE: '+56911112222',
  ADDRESS: 'Calle 1',
});
const submissions = async (form: MadeForm) =>
  (await account.panel.get(`/v1/private/forms/${form.id}/submissions`)).json.data;
const submission = async (form: MadeForm, id: number) =>
  (await account.panel.get(`/v1/private/forms/${form.id}/submissions/${id}`)).json;
const html = async (url: string) => await (await fetch(url)).text();
const valueIn = (page: string, key: string) =>
  new RegExp(`name="${key}"[^>]* value="([^"]*)"`).exec(page)?.[1];

test('the form asks for the address, answers alike whether it is known or not, and mails its link to known ones', async () => {
  const email = 'known@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const page = await html(update.url);
  assert.match(page, /name="EMAIL"[^]*Mail me the link/);
  assert.doesNotMatch(page, /FIRST_NAME|PHONE/);
  const [known, unknown] = [
    await visitors.ask(update, email),
    await visitors.ask(update, 'nobody@sandbox.test'),
  ];
  for (const answer of [known, unknown]) {
    assert.deepEqual([answer.status, await answer.text()], [303, '']);
    assert.match(answer.headers.get('location') ?? '', /\?link-sent$/);
  }
  assert.match(await html(`${update.url}?link-sent`), /If we know this address/);
  await waitFor(async () => (await visitors.linksTo(email)).length === 1);
  assert.deepEqual(await visitors.linksTo('nobody@sandbox.test'), []);
  const refused = await visitors.ask(update, 'no address');
  assert.deepEqual([refused.status, (await refused.text()).includes('role="alert"')], [422, true]);
});

test('the link opens the form with what was told, and what is sent by it replaces that with its history', async () => {
  const email = 'Replaces@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, email);
  const page = await html(link);
  assert.equal(valueIn(page, 'FIRST_NAME'), 'Ana &lt;b&gt;');
  assert.equal(valueIn(page, 'PHONE'), '+56911112222');
  assert.match(page, new RegExp(`name="EMAIL"[^>]* readonly[^>]* value="${email}"`));
  assert.doesNotMatch(page, /Calle 1/, 'the form does not ask for the street');
  const sent = await visitors.post(link, { EMAIL: email, FIRST_NAME: 'Ana María', PHONE: '' });
  assert.equal(sent.status, 303);
  assert.match(await html(link), /<h1>Saved<\/h1>/);
  const [changed] = await submissions(update);
  assert.deepEqual(
    [changed.status, changed.is_update, changed.answers],
    ['confirmed', true, { EMAIL: email, FIRST_NAME: 'Ana María', PHONE: null }],
  );
  const [first] = await submissions(registration);
  assert.deepEqual([first.answers.FIRST_NAME, first.replaced_by], ['Ana <b>', changed.id]);
  const { history } = await submission(update, changed.id);
  assert.deepEqual(
    history.map((each: { id: number; form_name: string }) => [each.id, each.form_name]),
    [[first.id, 'Details']],
  );
  assert.equal((await submission(registration, first.id)).history[0].id, changed.id);
  const again = await html(await visitors.link(update, email.toLowerCase()));
  assert.deepEqual([valueIn(again, 'FIRST_NAME'), valueIn(again, 'PHONE')], ['Ana María', '']);
  const exported = await account.api.get(`/v1/forms/${registration.id}/submissions/export?format=json`);
  const row = exported.json.data.find(({ id }: { id: number }) => id === first.id);
  assert.equal(row.replaced_by, changed.id);
});

test('the mail with the link says nothing of what was told, is answered by no program and is not tracked', async () => {
  const email = 'mail@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  await visitors.link(update, email);
  const [mail] = await service.db.query<{ all: string; headers: unknown; tracks: unknown }>(
    `select convert_from(g.html, 'UTF8') || convert_from(g.text, 'UTF8') as all, g.envelope as headers from mails m
     join messages g on g.msg_id = m.msg_id where m.recipient = $1 order by m.mail_id desc limit 1`,
    [email],
  );
  assert.doesNotMatch(mail?.all ?? '', /Ana|56911112222/);
  assert.match(JSON.stringify(mail?.headers), /auto-generated/);
  const lines = await account.panel.get('/v1/private/audit-events?action=form.update_link_sent');
  assert.equal(lines.json.data[0].object_id, String(update.id));
});

test('a link works once, also when its form is sent twice at the same time', async () => {
  const email = 'twice@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, email);
  const beforeIt = (await submissions(update)).length;
  const send = async (name: string) => await visitors.post(link, { FIRST_NAME: name });
  const lock = {
    lock: 'select from form_update_links where email = $1 for update',
    values: [email],
    waiting: 2,
  };
  await whileLocked(service.db, lock, async () => await Promise.all([send('One'), send('Two')]));
  assert.equal((await submissions(update)).length, beforeIt + 1);
  assert.match(await (await visitors.post(link, { FIRST_NAME: 'Three' })).text(), /Saved/);
  assert.equal((await submissions(update)).length, beforeIt + 1);
});

test('a link changes what its own address told, whatever address is posted with it', async () => {
  const [mine, theirs] = ['mine@sandbox.test', 'theirs@sandbox.test'];
  for (const email of [mine, theirs]) await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, mine);
  await visitors.post(link, { EMAIL: theirs, FIRST_NAME: 'Mallory' });
  assert.equal((await submissions(update))[0].answers.EMAIL, mine);
  const page = await html(await visitors.link(update, theirs));
  assert.equal(valueIn(page, 'FIRST_NAME'), 'Ana &lt;b&gt;');
});

test('an invalid answer is asked for again with what was posted, and a key outside the form is refused', async () => {
  const email = 'wrong@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, email);
  for (const fields of [{ PHONE: 'call me' }, { ADDRESS: 'Elsewhere' }]) {
    const refused = await visitors.post(link, { FIRST_NAME: 'Kept', ...fields });
    const page = await refused.text();
    assert.deepEqual([refused.status, valueIn(page, 'FIRST_NAME')], [422, 'Kept']);
    assert.match(page, /role="alert"/);
  }
  assert.equal((await visitors.post(link, { FIRST_NAME: 'Good' })).status, 303, 'the link still works');
});

test('unconfirmed answers do not replace confirmed ones, and fill in missing ones', async () => {
  const email = 'typed@sandbox.test';
  await visitors.tell(registration, { EMAIL: email, FIRST_NAME: 'Right' });
  const open = await visitors.makeForm([field('EMAIL'), field('FIRST_NAME'), field('PHONE')]);
  await visitors.tell(open, { EMAIL: email, FIRST_NAME: 'Typed by a stranger', PHONE: '+56933334444' });
  const page = await html(await visitors.link(update, email));
  assert.deepEqual([valueIn(page, 'FIRST_NAME'), valueIn(page, 'PHONE')], ['Right', '+56933334444']);
});

test('letters beyond ASCII have to be the same: the sign for kelvin opens nothing of k', async () => {
  await visitors.tell(registration, answersFor('kelvin@sandbox.test'));
  assert.equal((await visitors.ask(update, '\u212aelvin@sandbox.test')).status, 303);
  await visitors.link(update, 'kelvin@sandbox.test');
  assert.deepEqual(await visitors.linksTo('\u212aelvin@sandbox.test'), []);
});

test('a link of a form that is closed, deleted or of the other type by now opens nothing', async () => {
  const email = 'closed@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const form = await visitors.makeForm([field('EMAIL'), field('FIRST_NAME')], { type: 'update' });
  const link = await visitors.link(form, email);
  const path = `/v1/private/forms/${form.id}`;
  for (const [shut, open] of [
    [{ is_active: false }, { is_active: true }],
    [{ type: 'registration' }, { type: 'update' }],
  ]) {
    await account.panel.patch(path, shut);
    assert.equal((await fetch(link)).status, 404);
    assert.equal((await visitors.post(link, { FIRST_NAME: 'x' })).status, 404);
    await account.panel.patch(path, open);
    assert.equal((await fetch(link)).status, 200);
  }
  await account.panel.delete(path);
  assert.equal((await fetch(link)).status, 404);
});

test('a form of type update needs the field for the address, and a sender', async () => {
  const form = { name: 'F', kind: 'advanced', type: 'update', items: [field('EMAIL')] };
  const without = await account.panel.post('/v1/private/forms', form);
  assert.deepEqual([without.status, without.json.code], [409, 'confirmation_requires_email']);
  const elsewhere = { ...form, items: [field('PHONE')], auto_reply_sender_id: account.sender_id };
  assert.equal((await account.panel.post('/v1/private/forms', elsewhere)).status, 409);
  const plain = await account.panel.post('/v1/private/forms', { ...form, type: 'registration' });
  const changed = await account.panel.patch(`/v1/private/forms/${plain.json.id}`, { type: 'update' });
  assert.equal(changed.json.code, 'confirmation_requires_email');
});

test('a network that asks too often is told to wait, for known and unknown addresses', async () => {
  const limited = await startTestService({
    roles: 'api,web',
    database: service.database,
    env: { CHASQUI_TRUST_PROXY: 'true', CHASQUI_PLATFORM_MAIL_PER_NETWORK_HOUR: '3' },
  });
  try {
    const known = 'limited@sandbox.test';
    await visitors.tell(registration, answersFor(known));
    const url = update.url.replace(service.base_url, limited.base_url);
    const ask = async (email: string, address: string) =>
      (
        await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ EMAIL: email }),
          headers: { 'x-forwarded-for': address },
        })
      ).status;
    for (const [email, address] of [
      [known, '198.51.100.1'],
      ['nobody@sandbox.test', '198.51.101.1'],
    ] as const) {
      const statuses = [];
      for (let n = 0; n < 4; n += 1) statuses.push(await ask(email, address));
      assert.deepEqual(statuses, [303, 303, 303, 429], email);
    }
    await waitFor(async () => (await visitors.linksTo(known)).length >= 3);
    assert.equal(await ask(known, '198.51.102.1'), 303, 'the limit of the recipient is not told');
    assert.equal((await visitors.linksTo(known)).length, 3);
  } finally {
    await limited.stop();
  }
});

test('an erasure ends the links of its person, and nothing comes back through them', async () => {
  const email = 'erased@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, email);
  const contacts = [{ contact_type: 'email_address', contact: email }];
  const asked = await account.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await account.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
  await runErasures({ db: service.db, now: clock.now(), isStopping: () => false });
  assert.equal((await fetch(link)).status, 404);
  assert.equal((await visitors.post(link, { FIRST_NAME: 'Back' })).status, 404);
  assert.equal((await service.db.query('select from form_update_links where email = $1', [email])).length, 0);
  assert.equal((await visitors.ask(update, email)).status, 303);
});

test('a blocked person gets no link, and an earlier link opens nothing until the block is lifted', async () => {
  const email = 'blocked@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, email);
  const contacts = [{ contact_type: 'email_address', contact: email }];
  const asked = await account.api.post('/v1/rights-requests', { kind: 'blocking', contacts });
  const path = `/v1/rights-requests/${asked.json.id}`;
  assert.equal((await account.api.post(`${path}/fulfil`, {})).status, 200);
  const page = await fetch(link);
  assert.deepEqual([page.status, (await page.text()).includes('Ana')], [410, false]);
  assert.equal((await visitors.post(link, { FIRST_NAME: 'x' })).status, 410);
  await visitors.ask(update, email);
  await visitors.link(update, 'known@sandbox.test');
  assert.equal((await account.api.post(`${path}/lift`, {})).status, 200);
  assert.equal((await visitors.linksTo(email)).length, 1);
  assert.equal((await fetch(link)).status, 200);
});

test('a number of an erased person is left out of what another person changes', async () => {
  const [email, phone] = ['leaves-out@sandbox.test', '+56955556666'];
  await visitors.tell(registration, answersFor(email));
  const contacts = [{ contact_type: 'phone_number', contact: phone }];
  const asked = await account.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await account.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
  await visitors.post(await visitors.link(update, email), { FIRST_NAME: 'Ana', PHONE: phone });
  assert.deepEqual((await submissions(update))[0].answers, { EMAIL: email, FIRST_NAME: 'Ana', PHONE: null });
});

test('another instance knows nothing of what was told here', async () => {
  const email = 'tenant@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const other = await createFormAccount(service);
  const theirs = visitorsOf(service, other, (id) => confirmations.make(id));
  const items = ['EMAIL', 'FIRST_NAME'].map((key) => ({ kind: 'field', field_id: other.fields[key] }));
  const form = await theirs.makeForm(items, { type: 'update' });
  assert.equal((await theirs.ask(form, email)).status, 303);
  const register = await theirs.makeForm(items);
  await theirs.tell(register, { EMAIL: 'own@sandbox.test' });
  await theirs.link(form, 'own@sandbox.test');
  assert.deepEqual(await theirs.linksTo(email), []);
});

test('forged, foreign and old links open nothing, and old ones are purged', async () => {
  const email = 'over@sandbox.test';
  await visitors.tell(registration, answersFor(email));
  const link = await visitors.link(update, email);
  const other = new UpdateTokens(new RootSecret('another root secret, which nobody here has'));
  const [row] = await service.db.query<{ id: number }>(
    'select id from form_update_links where email = $1 order by id desc',
    [email],
  );
  const id = row?.id ?? 0;
  for (const token of [confirmations.make(id), other.make(id), `${link.slice(-32, -1)}!`]) {
    const url = `${service.base_url}/update/${token}`;
    assert.equal((await fetch(url)).status, 404);
    assert.equal((await visitors.post(url, { FIRST_NAME: 'x' })).status, 404);
  }
  const job = async () =>
    await purgeUpdateLinksJob.run({ db: service.db, now: clock.now(), isStopping: () => false });
  clock.advance(25 * 3_600_000);
  for (const answer of [await fetch(link), await visitors.post(link, { FIRST_NAME: 'Late' })]) {
    const page = await answer.text();
    assert.deepEqual([answer.status, page.includes('Ana'), page.includes(update.url)], [410, false, true]);
  }
  await job();
  assert.equal((await fetch(link)).status, 410, 'it is told that the link is over for a day');
  clock.advance(25 * 3_600_000);
  await job();
  assert.equal((await fetch(link)).status, 404);
});
