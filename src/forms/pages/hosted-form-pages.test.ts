import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { termHtml } from './form-page.ts';
import { createCurrentTerm, createFormAccount } from '../form-account.fixture.ts';
import { formsOf, type HostedForms, post, startHostedForms } from './hosted-form.fixture.ts';

const clock = createMovableClock('2026-11-01T12:00:00Z');
let service: HostedForms['service'];
let account: HostedForms['account'];
let makeForm: HostedForms['makeForm'];
let field: HostedForms['field'];
let consent: HostedForms['consent'];
let submissions: HostedForms['submissions'];
before(async () => {
  ({ service, account, makeForm, field, consent, submissions } = await startHostedForms(clock));
});
after(async () => await service.stop());

test('a form with a language of its own speaks it to every reader', async () => {
  const { url } = await makeForm([field('EMAIL')], { settings: { language: 'es' } });
  const html = await (await fetch(url, { headers: { 'accept-language': 'en' } })).text();
  assert.match(html, /<html lang="es">/);
  const refused = await post(url, { EMAIL: 'nothing' }, { 'accept-language': 'en' });
  assert.match(await refused.text(), /<html lang="es">/);
  const unset = await makeForm([field('EMAIL')], { settings: { language: null } });
  assert.match(await (await fetch(unset.url, { headers: { 'accept-language': 'es' } })).text(), /lang="es"/);
  const form = { name: 'F', kind: 'advanced', type: 'registration', items: [field('EMAIL')] };
  const unknown = await account.panel.post('/v1/private/forms', { ...form, settings: { language: 'fr' } });
  assert.equal(unknown.json.errors[0].pointer, '/settings/language');
});

test('a term of usual length is shown whole, down to how to withdraw; a long one scrolls by keyboard', () => {
  const term = { name: 'Club', version: '1', document_url: null };
  const usual = `${'We write to you about offers. '.repeat(40)}You can withdraw at any time.`;
  assert.match(termHtml('en', { ...term, body: usual }), /^<div class="terms" role="region"/);
  assert.match(termHtml('en', { ...term, body: usual.repeat(3) }), /^<div class="terms long" tabindex="0"/);
});

test('a form is shown with its items, the words of its terms, and nothing that runs', async () => {
  const options = { options: [{ value: 'RED', label: 'Rojo & más' }] };
  const ids: number[] = [];
  for (const [field_key, type] of [
    ['ONE_COLOUR', 'select'],
    ['COLOURS', 'multiselect'],
    ['AGREES', 'boolean'],
    ['STORY', 'textarea'],
  ]) {
    const wanted = { name: `<${field_key}>`, field_key, type, config: options };
    ids.push((await account.api.post('/v1/fields', wanted)).json.id);
  }
  const { url } = await makeForm([
    { kind: 'text', content: 'Hola <b>' },
    field('EMAIL', { is_required: true, label: 'Correo', width: 'half' }),
    ...ids.map((field_id) => ({ kind: 'field', field_id })),
    { kind: 'divider' },
    consent({ is_required: true }),
  ]);
  const response = await fetch(url, { headers: { 'accept-language': 'es-CL' } });
  const html = await response.text();
  assert.equal(response.status, 200);
  for (const shown of [
    '<html lang="es">',
    'Boletín &lt;1&gt;',
    'Hola &lt;b&gt;',
    '<label for="EMAIL">Correo</label>',
    'type="email"',
    '&lt;COLOURS&gt;',
    '<option value="RED">Rojo &amp; más</option>',
    '<input type="checkbox" name="COLOURS" value="RED">',
    '<textarea id="STORY"',
    '<option value="true">Sí</option>',
    'I agree.',
    `name="consent" value="${account.term_id}" required`,
    '<hr>',
  ]) {
    assert.ok(html.includes(shown), shown);
  }
  assert.doesNotMatch(html, /<script|<ONE|<b>/);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(
    policy,
    /^default-src 'none'; style-src '[^;]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
});

test('the policy allows the owner’s colours, rules and logo only by their hash and address', async () => {
  const design = {
    primary_color: '#fc0',
    secondary_color: '#112233',
    logo_url: 'https://acme.example/a;b.png?x=1',
    custom_css: 'h1 {\r\n color: #123 }',
  };
  const { url } = await makeForm([], { settings: { title: 'T', footer_text: 'Pie', design } });
  const response = await fetch(url);
  const html = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const [, css = ''] of html.matchAll(/<style>([\s\S]*?)<\/style>/g)) {
    // As a browser reads it: every line ends in one character.
    const hash = createHash('sha256').update(css.replaceAll('\r\n', '\n')).digest('base64');
    assert.ok(policy.includes(`'sha256-${hash}'`), css.slice(-80));
  }
  assert.match(policy, / img-src https:\/\/acme\.example\/a%3Bb\.png;/);
  assert.match(html, /--accent: #fc0; --on-accent: #000;/);
  assert.match(html, /h1 \{\n color: #123 \}/);
});

test('a submission is recorded with its consent, and the page thanks once', async () => {
  const { id, url } = await makeForm([field('EMAIL'), field('FIRST_NAME'), consent()]);
  const sent = await post(
    url,
    { EMAIL: 'ana@sandbox.test', FIRST_NAME: 'Ana', consent: String(account.term_id) },
    { 'user-agent': 'Browser' },
  );
  assert.equal(sent.status, 303);
  const thanks = await fetch(new URL(sent.headers.get('location') ?? '', url));
  assert.match(await thanks.text(), /Thank you/);
  const [row] = await submissions(id);
  assert.deepEqual(
    [row.status, row.answers, row.user_agent, row.consent_event_ids.length],
    ['confirmed', { EMAIL: 'ana@sandbox.test', FIRST_NAME: 'Ana' }, 'Browser', 1],
  );
});

test('consent is recorded under the version that was read, or asked for again', async () => {
  const term_id = await createCurrentTerm(account, { channels: ['mail'] });
  const { id, url } = await makeForm([field('EMAIL'), { kind: 'consent', term_id }]);
  const shown = async () => {
    const [, version = ''] = /name="version" value="(\d+)"/.exec(await (await fetch(url)).text()) ?? [];
    return { EMAIL: 'reader@sandbox.test', consent: String(term_id), version };
  };
  const before_ = await shown();
  const path = `/v1/private/consent-terms/${term_id}/versions`;
  const next: number = (await account.panel.post(path, { version: '2', body: 'I agree to more.' })).json.id;
  await account.panel.post(`${path}/${next}/publish`);
  await account.panel.post(`${path}/${next}/set-current`);
  const again = await post(url, before_);
  const html = await again.text();
  assert.equal(again.status, 422);
  assert.match(html, /I agree to more\.[\s\S]*This text has changed/);
  assert.doesNotMatch(html, / checked/);
  assert.deepEqual(await submissions(id), []);
  assert.equal((await post(url, await shown())).status, 303);
  const [{ consent_event_ids }] = await submissions(id);
  const [event] = await service.db.query('select term_version_id from consent_events where id = any ($1)', [
    consent_event_ids,
  ]);
  assert.deepEqual(event, { term_version_id: next });
});

test('an answer that the form does not ask for is refused and not kept', async () => {
  const { id, url } = await makeForm([field('EMAIL'), consent()]);
  const answers = { EMAIL: 'ana@sandbox.test' };
  for (const extra of [
    { LAST_NAME: 'x' },
    { utm: 'x' },
    { __proto__x: '' },
    { consent: '999999' },
    { consent: 'yes' },
  ]) {
    const back = await post(url, { ...answers, ...extra });
    assert.equal(back.status, 422, JSON.stringify(extra));
    const html = await back.text();
    assert.match(html, /role="alert">[^<]*does not ask for/);
    assert.match(html, /value="ana@sandbox.test"/);
  }
  const prototype = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams([...Object.entries(answers), ['__proto__', 'x']]),
  });
  assert.equal(prototype.status, 422);
  assert.deepEqual(await submissions(id), []);
  assert.equal((await post(url, { ...answers, website: '' })).status, 303);
  assert.equal((await submissions(id)).length, 1);
});

test('a body with very many names is answered as soon as any other', async () => {
  const { url } = await makeForm([field('EMAIL')]);
  const names = Array.from({ length: 60_000 }, (_, index) => index.toString(36)).join('&');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const before_ = process.cpuUsage();
  const refused = await fetch(url, { method: 'POST', body: names.slice(0, 256 * 1024), headers });
  const { user } = process.cpuUsage(before_);
  assert.equal(refused.status, 422);
  assert.ok(user < 5_000_000, `${user} µs`);
});

test('a form that is not right comes back with what was filled in and what is wrong', async () => {
  const { id, url } = await makeForm([
    field('EMAIL', { is_required: true }),
    field('FIRST_NAME'),
    consent({ is_required: true }),
  ]);
  const back = await post(url, { EMAIL: 'ana', FIRST_NAME: '"><script>' }, { 'accept-language': 'es' });
  const html = await back.text();
  assert.equal(back.status, 422);
  assert.match(html, /role="alert"/);
  assert.match(html, /value="ana"/);
  assert.match(html, /value="&quot;&gt;&lt;script&gt;"/);
  assert.match(html, /No es una dirección de correo/);
  assert.match(html, /Sin tu acuerdo/);
  assert.deepEqual(await submissions(id), []);
});

test('an encoding that the form does not read is refused, not stored as a submission without answers', async () => {
  const { id, url } = await makeForm([field('EMAIL')]);
  const files = new FormData();
  files.set('EMAIL', 'ana@sandbox.test');
  assert.equal((await fetch(url, { method: 'POST', body: files })).status, 415);
  const headers = { 'content-type': 'application/json' };
  const json = await fetch(url, { method: 'POST', body: '{"EMAIL":"ana@sandbox.test"}', headers });
  assert.equal(json.status, 415);
  assert.match(await json.text(), /<html lang="en">/);
  assert.deepEqual(await submissions(id), []);
});

test('a program that fills in everything is thanked and not believed', async () => {
  const { id, url } = await makeForm([field('EMAIL')]);
  const sent = await post(url, { EMAIL: 'ana@sandbox.test', website: 'https://spam.example' });
  assert.equal(sent.status, 303);
  assert.deepEqual(await submissions(id), []);
});

test('one address cannot flood a form', async () => {
  // An IPv6 host picks addresses of its /64 at will.
  for (const addressOf of [() => '192.0.2.1', (n: number) => `2001:db8::${n.toString(16)}`]) {
    const { url } = await makeForm([field('FIRST_NAME')]);
    const statuses: number[] = [];
    for (let n = 0; n < 25; n += 1) {
      const headers = { 'x-forwarded-for': addressOf(n) };
      statuses.push((await post(url, { FIRST_NAME: 'x' }, headers)).status);
    }
    assert.ok(statuses.includes(429), statuses.join());
    assert.equal(statuses[0], 303);
  }
});

test('a forwarded address is kept if it is an address', async () => {
  const { id, url } = await makeForm([field('FIRST_NAME')]);
  for (const address of ['192.0.2.1', '192.0.2.1:49152', 'unknown', 'fe80::1%eth0']) {
    const sent = await post(url, { FIRST_NAME: 'x' }, { 'x-forwarded-for': address });
    assert.equal(sent.status, 303, address);
  }
  const kept = (await submissions(id)).map(({ address }: { address: string | null }) => address);
  assert.deepEqual(kept, ['fe80::1', null, null, '192.0.2.1']);
});

test('another site shows a form in a frame, and what comes of it stays there', async () => {
  const { url } = await makeForm([field('FIRST_NAME', { is_required: true })]);
  const script = await fetch(`${url}/embed.js`);
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  const code = await script.text();
  assert.ok(code.includes(JSON.stringify(`${url}?embed`)));
  assert.ok(code.includes('"Boletín \\u003c1>"'), 'nothing in it ends an element');
  const refused = await post(`${url}?embed`, { FIRST_NAME: '' });
  const sent = await post(`${url}?embed`, { FIRST_NAME: 'Ana' });
  assert.match(sent.headers.get('location') ?? '', /\?embed&sent$/);
  const thanks = await fetch(new URL(sent.headers.get('location') ?? '', url));
  for (const answer of [await fetch(`${url}?embed`), refused, thanks]) {
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors http: https:$/);
    assert.equal(answer.headers.get('x-frame-options'), null);
  }
  assert.match(await thanks.text(), /Thank you/);
  const alone = await fetch(url);
  assert.equal(alone.headers.get('x-frame-options'), 'DENY', 'without the word it is framed by nobody');
  assert.equal((await fetch(`${service.base_url}/f/nothing/embed.js`)).status, 404);
});

test('submissions of one form are limited, whatever their source', async () => {
  const { id, url } = await makeForm([field('FIRST_NAME')]);
  // Used up, and not refilled yet.
  await service.db.query(
    `insert into rate_buckets (key, tokens, refilled_at) values ($1, 0, now() + interval '1 hour')`,
    [`form ${id}`],
  );
  const headers = { 'x-forwarded-for': '192.0.2.99' };
  assert.equal((await post(url, { FIRST_NAME: 'x' }, headers)).status, 429);
  assert.deepEqual(await submissions(id), []);
});

test('a form that was deleted, or whose instance or sender is gone, is closed', async () => {
  const deleted = await makeForm([field('EMAIL')]);
  await account.panel.delete(`/v1/private/forms/${deleted.id}`);
  const gone = await createFormAccount(service);
  const ofGone = formsOf(service, gone);
  const disabled = await ofGone.makeForm([ofGone.field('EMAIL')]);
  await service.db.query('update instances set is_enabled = false where id = $1', [gone.instance.id]);
  const left = await createFormAccount(service);
  const ofLeft = formsOf(service, left);
  const senderless = await ofLeft.makeForm([ofLeft.field('EMAIL')], ofLeft.doubleOptIn());
  await service.db.query('update senders set deleted_at = now() where id = $1', [left.sender_id]);
  for (const { id, url } of [deleted, disabled, senderless]) {
    assert.equal((await fetch(url)).status, 404);
    assert.equal((await post(url, { EMAIL: 'ana@sandbox.test' })).status, 404);
    assert.deepEqual(await service.db.query('select from form_submissions where form_id = $1', [id]), []);
  }
});

test('a form that is closed or was never there says so in the reader’s language', async () => {
  const { id, url } = await makeForm([field('EMAIL')]);
  await account.panel.patch(`/v1/private/forms/${id}`, { is_active: false });
  for (const nowhere of [url, `${service.base_url}/f/nothing`, `${service.base_url}/f/no%00thing`]) {
    for (const answer of [
      await fetch(nowhere, { headers: { 'accept-language': 'es' } }),
      await post(nowhere, { EMAIL: 'a@sandbox.test' }, { 'accept-language': 'es' }),
    ]) {
      assert.equal(answer.status, 404);
      assert.match(await answer.text(), /Este formulario no está/);
    }
  }
});
