import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { acceptedMail, leaveRetention } from '../../events/sent-mail.fixture.ts';
import { pageUrl } from './mail-pages.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  tenant = await service.tenant({ instance: { name: 'Librería <Altiplano>' } });
  await service.db.query(`update senders set name = 'Novedades & más' where instance_id = $1`, [
    tenant.instance.id,
  ]);
});
after(async () => await service.stop());

async function newMail(to: string): Promise<{ mail_id: string; url: string }> {
  const mail_id = await acceptedMail(service, tenant, to);
  return { mail_id, url: pageUrl(service, 'unsubscribe', mail_id) };
}

type Body = string | URLSearchParams | FormData;

async function post(url: string, body: Body, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, { method: 'POST', redirect: 'manual', body, headers });
}
const form = (fields: Record<string, string>): URLSearchParams => new URLSearchParams(fields);

async function recorded(mail_id: string): Promise<unknown> {
  const { status, json } = await tenant.api.get(`/v1/mail-unsubscribes/${mail_id}`);
  if (status === 404) return undefined;
  const { method, reason, resubscribed_at } = json;
  return { method, reason, is_back: resubscribed_at !== null };
}

test('a browser sees whose mail it is and as little as possible of whom it was sent to', async () => {
  const { mail_id, url } = await newMail('ana.perez@sandbox.test');
  const response = await fetch(url);
  const html = await response.text();
  assert.equal(response.status, 200);
  for (const shown of [
    'Novedades &amp; más',
    `test@${tenant.instance.slug}.sandbox.test`,
    'Librería &lt;Altiplano&gt;',
    'a•••@sandbox.test',
    '<html lang="en">',
    '<form method="post">',
  ]) {
    assert.ok(html.includes(shown), shown);
  }
  assert.doesNotMatch(html, /ana\.perez|<Altiplano>|<script/);
  assert.equal(await recorded(mail_id), undefined, 'looking changes nothing');
});

test('the page is private: not cached, not indexed, not framed, and without scripts', async () => {
  const { url } = await newMail('head@sandbox.test');
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(url, { method });
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.match(headers.get('x-robots-tag') ?? '', /noindex/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('vary') ?? '', /accept-language/i);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'/);
    assert.doesNotMatch(policy, /unsafe|http/);
  }
});

test('the page is in the language of its reader', async () => {
  const { url } = await newMail('lang@sandbox.test');
  const spanish = await fetch(url, { headers: { 'accept-language': 'fr, es-CL;q=0.8, en;q=0.5' } });
  assert.equal(spanish.headers.get('content-language'), 'es');
  assert.match(await spanish.text(), /<html lang="es">[^]*Cancelar suscripción/);
  const missing = await fetch(`${service.base_url}/u/nonsense`, { headers: { 'accept-language': 'es' } });
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /<html lang="es">[^]*Este enlace no funciona/);
});

test('confirming unsubscribes, with a reason for who gives one, and leads back to a page that says so', async () => {
  const { mail_id, url } = await newMail('leave@sandbox.test');
  const answer = await post(url, form({ action: 'unsubscribe', reason: ' Too many <b>mails</b> ' }));
  assert.equal(answer.status, 303);
  assert.equal(new URL(answer.headers.get('location') ?? '', url).href, url);
  assert.deepEqual(await recorded(mail_id), {
    method: 'page',
    reason: 'Too many <b>mails</b>',
    is_back: false,
  });
  const html = await (await fetch(url)).text();
  assert.match(html, /You are unsubscribed[^]*Subscribe again/);

  const back = await post(url, form({ action: 'resubscribe' }));
  assert.equal(back.status, 303);
  const welcome = await fetch(new URL(back.headers.get('location') ?? '', url));
  assert.match(await welcome.text(), /Welcome back/);
  const later = await newMail('leave@sandbox.test');
  await post(later.url, form({ action: 'unsubscribe' }));
  assert.match(await (await fetch(welcome.url)).text(), /You are unsubscribed/, 'it says what holds now');
  assert.deepEqual(await recorded(mail_id), {
    method: 'page',
    reason: 'Too many <b>mails</b>',
    is_back: true,
  });
  const { json } = await tenant.api.get(`/v1/mails/${mail_id}/logs`);
  assert.deepEqual(
    json.data.map(({ event, reason, detail }: Record<string, unknown>) => [event, reason, detail]).slice(-2),
    [
      ['unsubscribed', 'page', 'Too many <b>mails</b>'],
      ['resubscribed', null, null],
    ],
  );
});

// RFC 8058 §3.1 allows both kinds of forms; Gmail sends the first, other providers the second.
const oneClicks: [string, Body, Record<string, string>][] = [
  [
    'as Gmail sends it',
    'List-Unsubscribe=One-Click',
    { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Google-Gmail-Unsubscribe' },
  ],
  [
    'as multipart, like in the RFC',
    '---FormBoundaryjWmhtjORrn\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n---FormBoundaryjWmhtjORrn--\r\n',
    { 'content-type': 'multipart/form-data; boundary=-FormBoundaryjWmhtjORrn' },
  ],
  [
    'with a charset',
    'List-Unsubscribe=One-Click',
    { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
  ],
  ['in lower case', 'List-Unsubscribe=one-click', { 'content-type': 'application/x-www-form-urlencoded' }],
];
for (const [name, body, headers] of oneClicks) {
  test(`one click unsubscribes at once, ${name}`, async () => {
    const { mail_id, url } = await newMail('click@sandbox.test');
    for (const time of [1, 2]) {
      const answer = await post(url, body, headers);
      assert.equal(answer.status, 200, `time ${time}, and never a redirect`);
    }
    assert.deepEqual(await recorded(mail_id), { method: 'one_click', reason: null, is_back: false });
    const events = await service.db.query('select from events where mail_id = $1', [mail_id]);
    assert.equal(events.length, 1);
  });
}

test('a form that says neither is answered with the page, and nothing happens', async () => {
  const { mail_id, url } = await newMail('unclear@sandbox.test');
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
  const file = new FormData();
  file.append('List-Unsubscribe', new Blob(['One-Click']), 'a.txt');
  const refusals: [Body, Record<string, string>, number][] = [
    ['List-Unsubscribe=No', urlencoded, 400],
    ['', urlencoded, 400],
    ['action=everything', urlencoded, 400],
    ['\0%zz=%ff&&=', urlencoded, 400],
    ['{"action":"unsubscribe"}', { 'content-type': 'application/json' }, 400],
    ['action=unsubscribe', { 'content-type': 'text/plain' }, 415],
    ['x', { 'content-type': 'multipart/form-data' }, 400],
    [file, {}, 413],
    [`action=unsubscribe&reason=${'x'.repeat(70_000)}`, urlencoded, 413],
  ];
  for (const [body, headers, status] of refusals) {
    const answer = await post(url, body, headers);
    assert.equal(answer.status, status);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  }
  assert.equal(await recorded(mail_id), undefined);
});

test('rejects tokens of other pages, of no mail, and broken ones', async () => {
  const { mail_id, url } = await newMail('token@sandbox.test');
  const token = url.split('/').at(-1) ?? '';
  const wrong = [
    pageUrl(service, 'view', mail_id).split('/').at(-1),
    pageUrl(service, 'report', mail_id).split('/').at(-1),
    token.slice(0, -1),
    `${token}0`,
    `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
    `${token.startsWith('0') ? '1' : '0'}${token.slice(1)}`,
    'x',
    '%00',
    '..%2f',
    'a'.repeat(5_000),
  ];
  for (const each of wrong) {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(`${service.base_url}/u/${each}`, {
        method,
        ...(method === 'POST' ? { body: form({ action: 'unsubscribe' }) } : {}),
      });
      assert.equal(answer.status, 404, `${method} ${each}`);
      assert.match(await answer.text(), /This link does not work/);
    }
  }
  assert.equal((await fetch(`${service.base_url}/u/${token.toUpperCase()}`)).status, 200);
  assert.equal(await recorded(mail_id), undefined);
});

test('the page of a mail that has left retention says so, unless its recipient had unsubscribed by it', async () => {
  const [never, gone] = [await newMail('never@sandbox.test'), await newMail('gone@sandbox.test')];
  await post(gone.url, form({ action: 'unsubscribe' }));
  for (const { mail_id } of [never, gone]) await leaveRetention(service, mail_id);
  const answer = await post(never.url, form({ action: 'unsubscribe' }));
  assert.equal(answer.status, 410);
  assert.match(await answer.text(), /This link is too old/);
  assert.match(await (await fetch(gone.url)).text(), /You are unsubscribed/);
  assert.equal((await post(gone.url, form({ action: 'resubscribe' }))).status, 303);
  assert.deepEqual(await recorded(gone.mail_id), { method: 'page', reason: null, is_back: true });
});

test('the page shows the state of the recipient, by any mail of the instance', async () => {
  const [first, second] = [await newMail('Same@sandbox.test'), await newMail('same@SANDBOX.test')];
  await post(first.url, form({ action: 'unsubscribe' }));
  assert.match(await (await fetch(second.url)).text(), /You are unsubscribed/);
  const other = await service.tenant();
  const elsewhere = pageUrl(service, 'unsubscribe', await acceptedMail(service, other, 'same@sandbox.test'));
  assert.doesNotMatch(await (await fetch(elsewhere)).text(), /You are unsubscribed/);
});
