import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { acceptedMail, leaveRetention } from '../events/sent-mail.fixture.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createDatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { TrackingTokens } from './tracking-token.ts';

const tokens = new TrackingTokens(new RootSecret('a root secret for tests, and for tests alone'));
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Firefox/115.0' };
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

/** A mail that was delivered a while ago. */
async function sentMail(): Promise<string> {
  const mail_id = await acceptedMail(service, tenant, 'delivered@sandbox.test');
  await service.db.query(
    "update mails set status = 3, sent_at = now() - interval '1 minute' where mail_id = $1",
    [mail_id],
  );
  return mail_id;
}
const mailOf = (mail_id: string) => ({ mail_id, instance_id: tenant.instance.id });
function clickPath(mail_id: string, url: string): string {
  const target = tokens.target(url);
  assert.ok(target);
  return `/c/${tokens.of(mailOf(mail_id)).click(target)}${target.tail}`;
}
const visit = async (path: string, init: RequestInit = {}): Promise<Response> =>
  await fetch(`${service.base_url}${path}`, { redirect: 'manual', headers: person, ...init });

interface Line {
  event: string;
  status: number | null;
  reason: string | null;
  detail: string | null;
}
/** The lines of a mail's log that tell of visits, once there are as many. */
async function visits(mail_id: string, count: number): Promise<Line[]> {
  return await waitFor(
    async () => {
      const { json } = await tenant.api.get(`/v1/mails/${mail_id}/logs`);
      const lines = (json.data as Line[]).filter(({ event }) => event === 'opened' || event === 'clicked');
      return lines.length >= count && lines;
    },
    { what: `${count} visits` },
  );
}
const countsOf = async (mail_id: string): Promise<[number, number]> => {
  const { json } = await tenant.api.get(`/v1/mails/${mail_id}`);
  return [json.opens, json.clicks];
};

test('the pixel is an image that caches must not store', async () => {
  const response = await visit(`/o/${tokens.of(mailOf(await sentMail())).open()}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/gif');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(bytes.length <= 43);
  assert.equal(bytes.toString('latin1', 0, 6), 'GIF89a');
});

test('a link leads to its target and does not tell it where it was found', async () => {
  const url = 'https://shop.example/a?b=c&d=%C3%B1#e';
  const response = await visit(clickPath(await sentMail(), url));
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), url);
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(await response.text(), '');
});

test('visits are in the log of the mail, and those of people on its record', async () => {
  const mail_id = await sentMail();
  await visit(`/o/${tokens.of(mailOf(mail_id)).open()}`);
  await visit(clickPath(mail_id, 'https://shop.example/a'));
  await visit(`/o/${tokens.of(mailOf(mail_id)).open()}`, { headers: { 'user-agent': 'Mozilla/5.0' } });
  await visit(clickPath(mail_id, 'https://shop.example/a'), { method: 'HEAD' });
  const lines = await visits(mail_id, 4);
  assert.deepEqual(
    lines.map(({ event, status, reason, detail }) => [event, status, reason, detail]),
    [
      ['opened', null, null, null],
      ['clicked', null, null, 'https://shop.example/a'],
      ['opened', null, 'machine', null],
      ['clicked', null, 'machine', 'https://shop.example/a'],
    ],
  );
  assert.deepEqual(await countsOf(mail_id), [1, 1]);
  const [event] = await service.db.query<{ data: object }>(
    "select data from events where mail_id = $1 and event = 'clicked' order by event_id limit 1",
    [mail_id],
  );
  assert.deepEqual(event?.data, {
    url: 'https://shop.example/a',
    user_agent: person['user-agent'],
    is_machine: false,
  });
});

test('the beginning of a very long user agent is kept', async () => {
  const mail_id = await sentMail();
  const headers = { 'user-agent': `${person['user-agent']} ${'x'.repeat(4_000)}` };
  await visit(`/o/${tokens.of(mailOf(mail_id)).open()}`, { headers });
  await visits(mail_id, 1);
  const [kept] = await service.db.query<{ user_agent: string }>(
    "select data ->> 'user_agent' as user_agent from events where mail_id = $1 and event = 'opened'",
    [mail_id],
  );
  assert.equal(kept?.user_agent, headers['user-agent'].slice(0, 512));
});

test('a HEAD is answered like the GET, without its body', async () => {
  const path = clickPath(await sentMail(), 'https://shop.example/head');
  const response = await visit(path, { method: 'HEAD' });
  assert.equal(response.status, 302);
  assert.equal(response.headers.get('location'), 'https://shop.example/head');
});

test('visits to several links of a mail within a second are of a machine, from the first on', async () => {
  const mail_id = await sentMail();
  for (const page of ['1', '2', '3']) await visit(clickPath(mail_id, `https://shop.example/${page}`));
  const lines = await visits(mail_id, 3);
  assert.deepEqual(
    lines.map(({ reason }) => reason),
    ['machine', 'machine', 'machine'],
  );
  assert.deepEqual(await countsOf(mail_id), [0, 0]);
});

test('a token that was changed, cut or made up is a page that leads nowhere', async () => {
  const mail_id = await sentMail();
  const good = clickPath(mail_id, 'https://shop.example/a');
  const foreign = new TrackingTokens(new RootSecret('another root secret, of somebody else entirely'));
  const bad = [
    `${good}A`,
    good.slice(0, -1),
    good.replace('/c/', '/o/'),
    `/c/${tokens.of(mailOf(mail_id)).open()}`,
    `/o/${foreign.of(mailOf(mail_id)).open()}`,
    '/c/https://evil.example/',
    '/c/https:%2F%2Fevil.example%2F',
    '/c/?url=https://evil.example/',
    `/c/${Buffer.from('https://evil.example/').toString('base64url')}`,
    '/o/x',
    `/c/${'A'.repeat(8_000)}`,
    `${good}%0d%0aSet-Cookie:%20a=b`,
    `${good}/..//evil.example`,
  ];
  for (const path of bad) {
    const response = await visit(path);
    assert.equal(response.status, 404, path);
    assert.equal(response.headers.get('location'), null);
    assert.equal(response.headers.get('set-cookie'), null);
    await response.text();
  }
  const spanish = await visit(`${good}A`, { headers: { ...person, 'accept-language': 'es-CL,es;q=0.9' } });
  assert.match(spanish.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await spanish.text(), /<html lang="es">[\s\S]*Este enlace no funciona/);
});

test('a query that a mail program adds changes nothing', async () => {
  const path = `${clickPath(await sentMail(), 'https://shop.example/q')}?fbclid=https://evil.example/`;
  const response = await visit(path);
  assert.equal(response.headers.get('location'), 'https://shop.example/q');
});

test('a link still works when its mail is gone', async () => {
  const mail_id = await sentMail();
  await leaveRetention(service, mail_id);
  const response = await visit(clickPath(mail_id, 'https://shop.example/gone'));
  assert.equal(response.headers.get('location'), 'https://shop.example/gone');
});

test('other methods are refused with those that are allowed', async () => {
  const path = `/o/${tokens.of(mailOf(await sentMail())).open()}`;
  // A DELETE has no length of a body, as a GET has none.
  for (const method of ['POST', 'DELETE']) {
    const response = await visit(path, { method });
    assert.equal(response.status, 405, method);
    assert.match(response.headers.get('allow') ?? '', /GET, HEAD/);
  }
});

test('tracking pages are not operations of the API', async () => {
  const { json } = await tenant.api.get('/openapi.json');
  assert.deepEqual(
    Object.keys(json.paths).filter((path) => /^\/[oc]\//.test(path)),
    [],
  );
});

test('links work while the database is down, and what they tell is written when it is back', async () => {
  const link = await createDatabaseLink();
  const own = await startTestService({ database: link.database });
  try {
    const other = await own.tenant();
    const mail_id = await acceptedMail(own, other, 'delivered@sandbox.test');
    await own.db.query("update mails set status = 3, sent_at = now() - interval '1 minute'");
    await link.cut();
    const path = clickPath(mail_id, 'https://shop.example/outage');
    const response = await fetch(`${own.base_url}${path}`, { redirect: 'manual', headers: person });
    assert.equal(response.headers.get('location'), 'https://shop.example/outage');
    await link.mend();
    const count = async () => {
      const [mail] = await own.db.query<{ clicks: number }>('select clicks from mails').catch(() => []);
      return mail?.clicks === 1;
    };
    await waitFor(count, { what: 'the click', timeout_ms: 15_000 });
  } finally {
    await own.stop();
    await link.stop();
  }
});

test('no visit is lost when the service stops', async () => {
  const own = await startTestService({ database: service.database });
  const mail_id = await sentMail();
  const opened = `${own.base_url}/o/${tokens.of(mailOf(mail_id)).open()}`;
  await Promise.all(
    Array.from({ length: 40 }, async () => await (await fetch(opened, { headers: person })).text()),
  );
  await own.stop();
  assert.deepEqual(await countsOf(mail_id), [40, 0]);
});

test('a link that is fetched without end makes few rows, and its visits are counted alike everywhere', async () => {
  const mail_id = await sentMail();
  const link = `/o/${tokens.of(mailOf(mail_id)).open()}`;
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(Array.from({ length: 50 }, async () => await (await visit(link)).arrayBuffer()));
  }
  await waitFor(async () => (await countsOf(mail_id))[0] === 400, {
    what: 'all visits to be written',
    timeout_ms: 20_000,
  });
  const opens = async (query: string) =>
    (await tenant.api.get(`/v1/activities/opens?mail_id=${mail_id}&page_size=100&${query}`)).json;
  const { data, pagination } = await opens('');
  // An hour may have ended in between.
  assert.ok(pagination.total_items <= 200 && data.length <= 100, String(pagination.total_items));
  const sum = (rows: { open_count: number }[]): number =>
    rows.reduce((total, { open_count }) => total + open_count, 0);
  const file = await tenant.api.get(`/v1/activities/opens/export?format=json&mail_id=${mail_id}`);
  assert.equal(sum(file.json.data), 400);
  for (const grouping of ['mail_id', 'msg_id']) {
    assert.equal(sum((await opens(`group_by=${grouping}`)).data), 400, grouping);
  }
});
