import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createDatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { setOperator } from '../accounts/users.ts';
import { RootSecret } from '../base/secrets.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { pageUrl } from './pages/mail-pages.fixture.ts';
import { TrackingTokens } from './tracking-token.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const tokens = new TrackingTokens(secret);
const takedowns = '/v1/private/operator/link-takedowns';
const someMail: string = randomUUID();
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0' };
let service: TestService;
let tenant: Tenant;
let operator: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  operator = await signIn(service, tenant, 'viewer');
  await setOperator(service.db, operator.login.email, { is_operator: true, actor: { kind: 'operator' } });
});
after(async () => await service.stop());

function linkTo(url: string, { instance_id = tenant.instance.id, mail_id = someMail } = {}): string {
  const target = tokens.target(url);
  assert.ok(target, url);
  return `/c/${tokens.of({ mail_id, instance_id }).click(target)}${target.tail}`;
}

/** As earlier versions made them. */
function earlierLink(mail_id: string, target: string): string {
  const subject = Buffer.from([0x12, ...Buffer.from(mail_id.replaceAll('-', ''), 'hex')]);
  const mac = createHmac('sha256', secret.deriveKey('tracking-token'))
    .update(subject)
    .update(target)
    .digest();
  return `/c/${Buffer.concat([subject, mac.subarray(0, 10), Buffer.from(target)]).toString('base64url')}`;
}

interface Seen {
  status: number;
  location: string | null;
  html: string;
}

async function follow(path: string, { lang = 'en', base_url = service.base_url } = {}): Promise<Seen> {
  const headers = { ...person, 'accept-language': lang };
  const response = await fetch(base_url + path, { redirect: 'manual', headers });
  const location = response.headers.get('location');
  return { status: response.status, location, html: await response.text() };
}

const until = async (path: string, status: number, base_url = service.base_url): Promise<Seen> =>
  await waitFor(
    async () => {
      const seen = await follow(path, { base_url });
      return seen.status === status && seen;
    },
    { what: `${status} at a link`, timeout_ms: 4_000 },
  );

async function setEnabled(is_enabled: boolean, { db } = service, { instance } = tenant): Promise<void> {
  await db.query('update instances set is_enabled = $2 where id = $1', [instance.id, is_enabled]);
}

test('a link of a disabled instance asks first, and leads on when it is enabled again', async () => {
  const other = await service.tenant();
  const link = linkTo('https://shop.example/a?b=c&d=e');
  assert.equal((await follow(link)).location, 'https://shop.example/a?b=c&d=e');
  await setEnabled(false);
  const { html, location } = await until(link, 200);
  assert.equal(location, null);
  assert.match(html, /<strong>shop\.example<\/strong>/);
  assert.match(
    html,
    /<a class="button quiet" href="https:\/\/shop\.example\/a\?b=c&amp;d=e" rel="noreferrer/,
  );
  assert.match(
    (await follow(link, { lang: 'es' })).html,
    /<html lang="es">[^]*deshabilitada[^]*shop\.example/,
  );
  const theirs = await follow(linkTo('https://shop.example/', { instance_id: other.instance.id }));
  assert.equal(theirs.status, 302);
  await setEnabled(true);
  await until(link, 302);
});

test('the host is shown as the browser asks for it', async () => {
  await setEnabled(false);
  const { html } = await until(linkTo(new URL('https://аррӏе.example/').href), 200);
  assert.match(html, /<strong>xn--80ak6aa92e\.example<\/strong>/);
  await setEnabled(true);
});

test('a link of an earlier version is looked up while an instance is disabled', async () => {
  const mail_id = await acceptedMail(service, tenant, 'delivered@sandbox.test');
  const link = earlierLink(mail_id, 'shop.example/earlier');
  assert.equal((await follow(link)).location, 'https://shop.example/earlier');
  await setEnabled(false);
  await until(link, 200);
  assert.equal(
    (await follow(earlierLink(randomUUID(), 'shop.example/'))).status,
    302,
    'of a mail that is gone',
  );
  await setEnabled(true);
  await until(link, 302);
});

test('a visit that ends at a warning is not counted', async () => {
  const mail_id = await acceptedMail(service, tenant, 'delivered@sandbox.test');
  await service.db.query(`update mails set status = 3, sent_at = now() - interval '1 minute'`);
  const [link, other] = [linkTo('https://shop.example/', { mail_id }), linkTo('https://shop.example/')];
  await setEnabled(false);
  await until(other, 200);
  assert.equal((await follow(link)).status, 200);
  await setEnabled(true);
  await until(other, 302);
  assert.equal((await follow(link)).status, 302);
  const clicks = async (): Promise<number> =>
    (await tenant.api.get(`/v1/mails/${mail_id}`)).json.clicks as number;
  await waitFor(async () => (await clicks()) > 0, { what: 'the click' });
  assert.equal(await clicks(), 1);
});

test('an operator takes a host down, with all below it, and restores it', async () => {
  const down = [
    'https://phish.example/',
    'http://www.PHISH.example:8080/x',
    'https://a.b.phish.example./?q=1',
    'https://bank.example@phish.example/',
  ];
  const good = [
    'https://notphish.example/',
    'https://phish.example.org/',
    'https://shop.example/phish.example',
  ];
  const taken = await operator.post(takedowns, { host: 'Phish.Example.', reason: 'phishing' });
  assert.deepEqual([taken.status, taken.json.host, taken.json.reason], [201, 'phish.example', 'phishing']);
  const paths = down.map((url) => linkTo(new URL(url).href));
  for (const path of paths) {
    const { html, location } = await until(path, 410);
    assert.equal(location, null);
    assert.match(html, /phish\.example/);
    assert.doesNotMatch(html, /href=/, 'the page leads no further');
  }
  assert.match((await follow(paths[0] ?? '', { lang: 'es' })).html, /<html lang="es">[^]*dado de baja/);
  for (const url of good) assert.equal((await follow(linkTo(url))).status, 302, url);
  const { data } = (await operator.get(takedowns)).json;
  assert.deepEqual(
    data.map(({ host }: { host: string }) => host),
    ['phish.example'],
  );
  assert.equal((await operator.delete(`${takedowns}/phish.example`)).status, 204);
  await until(paths[0] ?? '', 302);
  assert.equal((await operator.delete(`${takedowns}/phish.example`)).json.code, 'link_takedown_not_found');
  const trail = await service.db.query<{ action: string }>(
    `select action from audit_events where object_kind = 'link_host' and object_id = 'phish.example' order by id`,
  );
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['link_host.taken_down', 'link_host.restored'],
  );
});

test('addresses are taken down too, and nothing that would be half of the web', async () => {
  for (const [host, url] of [
    ['192.0.2.7', 'http://192.0.2.7/x'],
    ['2001:db8::7', 'http://[2001:db8:0::7]/x'],
    ['ñandú.example', 'https://xn--and-6ma2c.example/'],
  ] as const) {
    assert.equal((await operator.post(takedowns, { host })).status, 201, host);
    await until(linkTo(new URL(url).href), 410);
  }
  for (const host of [
    'com',
    'co.uk',
    'localhost',
    'a b.example',
    'https://a.example',
    'a.example/x',
    'a@b.example',
    '%61.example',
    '',
    '.',
  ]) {
    assert.equal((await operator.post(takedowns, { host })).status, 422, host);
  }
});

test('the page that shows a message does not lead around a warning', async () => {
  const send = async (html: string): Promise<string> => {
    const { json } = await tenant.api.post('/v1/mails/send', {
      sender_email: `test@${tenant.instance.slug}.sandbox.test`,
      to: [{ email: 'view@sandbox.test' }],
      subject: 'Look',
      html,
    });
    const { data } = (await tenant.api.get(`/v1/mails?msg_id=${json.message_id}`)).json;
    return new URL(pageUrl(service, 'view', data[0].mail_id)).pathname;
  };
  const bad = await send('<p><a data-chq-notrack href="https://www.viewed.example/">x</a></p>');
  const good = await send('<p><a href="https://shop.example/viewed.example">x</a></p>');
  for (const path of [bad, good]) assert.equal((await follow(path)).status, 200);
  assert.equal((await operator.post(takedowns, { host: 'viewed.example' })).status, 201);
  await until(bad, 410);
  assert.doesNotMatch((await follow(bad)).html, /viewed\.example/);
  assert.match((await follow(bad, { lang: 'es' })).html, /No sigas sus enlaces/);
  assert.equal((await follow(good)).status, 200);
  await setEnabled(false);
  assert.match((await until(good, 403)).html, /disabled/);
  await setEnabled(true);
});

test('a takedown of which no notification came is noticed by the clicks', async () => {
  const link = linkTo('https://unheard.example/');
  await service.db.query('alter table link_takedowns disable trigger link_takedowns_changed');
  await service.db.query("insert into link_takedowns (host) values ('unheard.example')");
  await waitFor(async () => (await follow(link)).status === 410, { what: '410 at the link' });
  await service.db.query('alter table link_takedowns enable trigger link_takedowns_changed');
});

test('every node learns it within seconds, and knows it while the database is down', async (t) => {
  const link = await createDatabaseLink();
  const node = await startTestService({ roles: 'web', database: link.database });
  t.after(async () => {
    await node.stop();
    await link.stop();
  });
  const other = await node.tenant();
  const { base_url } = node;
  const evil = linkTo('https://evil.example/', { instance_id: 76 });
  const disabled = linkTo('https://shop.example/', { instance_id: other.instance.id });
  assert.equal((await follow(evil, { base_url })).status, 302);
  await node.db.query("insert into link_takedowns (host) values ('evil.example')");
  await setEnabled(false, node, other);
  await until(evil, 410, base_url);
  await until(disabled, 200, base_url);
  await link.cut();
  const statuses = async (): Promise<number[]> => [
    (await follow(evil, { base_url })).status,
    (await follow(disabled, { base_url, lang: 'es' })).status,
    (await follow(linkTo('https://shop.example/', { instance_id: 77 }), { base_url })).status,
    (await follow(earlierLink(randomUUID(), 'shop.example/'), { base_url })).status,
  ];
  assert.deepEqual(await statuses(), [410, 200, 302, 302]);
  await link.mend();
  await node.db.query('delete from link_takedowns');
  await waitFor(async () => (await follow(evil, { base_url })).status === 302, { what: 'the restored host' });
});
