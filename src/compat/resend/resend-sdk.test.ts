import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ErrorResponse, type Response, Resend } from 'resend';
import { countMessages, insertSender, storedMails } from '../../accept/account.fixture.ts';
import { scopes } from '../../base/http/access.ts';
import {
  keyWith,
  openSwitching,
  setInstance,
  storedAttachments,
  storedMarks,
  storedMessage,
} from '../compat-bed.fixture.ts';
import { mailFrom, ok, refused, type ResendBed, startResend } from './resend-bed.fixture.ts';

let bed: ResendBed;
let service: ResendBed['service'];
let account: ResendBed['account'];
let resend: ResendBed['resend'];
before(async () => {
  bed = await startResend();
  ({ service, account, resend } = bed);
});
after(async () => await bed.stop());
const mail = (more: object = {}) => mailFrom(bed, more);

test('a mail is sent with everything that the client can say of it', async () => {
  const { id } = ok(
    await resend.emails.send({
      from: `"Pérez, Ana" <${account.from}>`,
      to: ['Luis <luis@sandbox.test>', 'eva@sandbox.test'],
      cc: 'cc@sandbox.test',
      bcc: ['bcc@sandbox.test'],
      replyTo: ['help@example.com', 'Sales <sales@example.com>'],
      subject: 'All of it',
      html: '<p><img src="cid:logo"></p>',
      text: 'Plain',
      headers: { 'X-Entity-Ref-ID': '1', 'Message-ID': '<x@y>' },
      tags: [
        { name: 'campaign', value: 'spring' },
        { name: 'user', value: 'u_1' },
      ],
      attachments: [
        { filename: 'a.txt', content: Buffer.from('one') },
        { filename: 'logo.png', content: Buffer.from('two').toString('base64'), contentId: 'logo' },
        { filename: 'b', content: Buffer.from('three'), contentType: 'text/x-other; charset=utf-8' },
      ],
    }),
  );
  const { envelope, html, text } = await storedMessage(service, id);
  assert.deepEqual(envelope.from, { address: account.from, name: 'Pérez, Ana' });
  assert.deepEqual(envelope.to, [
    { address: 'luis@sandbox.test', name: 'Luis' },
    { address: 'eva@sandbox.test' },
  ]);
  assert.deepEqual(envelope.cc, [{ address: 'cc@sandbox.test' }]);
  assert.deepEqual(envelope.reply_to, [
    { address: 'help@example.com' },
    { address: 'sales@example.com', name: 'Sales' },
  ]);
  assert.deepEqual(envelope.headers, [['X-Entity-Ref-ID', '1']]);
  assert.equal(html, '<p><img src="cid:logo"></p>');
  assert.equal(text, 'Plain');
  assert.deepEqual((await storedMarks(service, id)).tags, { campaign: 'spring', user: 'u_1' });
  assert.deepEqual(await storedAttachments(service, id), [
    { type: 'text/plain', filename: 'a.txt', text: 'one', content_id: null, disposition: null },
    { type: 'image/png', filename: 'logo.png', text: 'two', content_id: 'logo', disposition: null },
    { type: 'text/x-other', filename: 'b', text: 'three', content_id: null, disposition: null },
  ]);
  assert.equal((await storedMails(service, id)).length, 4);
});

test('a mail can be text only', async () => {
  const { id } = ok(
    await resend.emails.send({ from: account.from, to: 'a@sandbox.test', subject: 'T', text: 'Only text' }),
  );
  const { html, text } = await storedMessage(service, id);
  assert.equal(html, null);
  assert.equal(text, 'Only text');
  const read = ok(await resend.emails.get(id));
  assert.equal(read.html, null);
  assert.equal(read.text, 'Only text');
});

test('a template is filled with its variables', async () => {
  const created = await account.api.post('/v1/mail-templates', {
    name: 'Welcome',
    subject: 'Hi {{ name }}',
    source: '<p>{{ name }}</p>',
    alias: 'welcome',
  });
  assert.equal(created.status, 201, created.text);
  const { id: template } = created.json;
  const published = await account.api.post(`/v1/mail-templates/${template}/publish`);
  assert.equal(published.status, 200, published.text);
  const sent = ok(
    await resend.emails.send({
      from: account.from,
      to: 'a@sandbox.test',
      template: { id: String(template), variables: { name: 'Ana', count: 2 } },
    }),
  );
  assert.equal((await storedMarks(service, sent.id)).subject, 'Hi Ana');
  const templateOfAlias = { id: 'welcome', variables: { name: 'Eva' } };
  const byAlias = ok(
    await resend.emails.send({ from: account.from, to: 'a@sandbox.test', template: templateOfAlias }),
  );
  assert.equal((await storedMarks(service, byAlias.id)).subject, 'Hi Eva');
  const unknown = await resend.emails.send({
    from: account.from,
    to: 'a@sandbox.test',
    template: { id: '999999999' },
  });
  refused(unknown, 'not_found', 404);
  const listed = ok(await resend.templates.list());
  assert.deepEqual(
    listed.data.map(({ id, name, alias, status }) => [id, name, alias, status]),
    [[String(template), 'Welcome', 'welcome', 'published']],
  );
  assert.equal(ok(await resend.templates.get('welcome')).html, '<p>{{ name }}</p>');
  assert.equal(ok(await resend.templates.get(String(template))).subject, 'Hi {{ name }}');
  refused(await resend.templates.get('nothing'), 'not_found', 404);
});

test('a batch is sent in its order, and refused whole for one mail unless it is permissive', async () => {
  const three = [
    mail({ subject: '1' }),
    mail({ subject: '2', tags: [{ name: 'n', value: '2' }] }),
    mail({ subject: '3' }),
  ];
  const { data } = ok(await resend.batch.send(three));
  const subjects = await Promise.all(data.map(async ({ id }) => (await storedMarks(service, id)).subject));
  assert.deepEqual(subjects, ['1', '2', '3']);

  const bad = [mail(), mail({ to: 'nobody' }), mail({ from: 'x@unknown.example' })];
  const beforeCount = await countMessages(account);
  const strict = refused(await resend.batch.send(bad), 'validation_error', 422);
  assert.match(strict.message, /`to`/);
  assert.equal(await countMessages(account), beforeCount);

  const permissive = ok(await resend.batch.send(bad, { batchValidation: 'permissive' }));
  assert.equal(permissive.data.length, 1);
  assert.deepEqual(
    permissive.errors?.map(({ index }) => index),
    [1, 2],
  );
  assert.match(permissive.errors?.[0]?.message ?? '', /Invalid `to` field/);
  assert.equal(await countMessages(account), beforeCount + 1);

  refused(await resend.batch.send(Array.from({ length: 101 }, () => mail())), 'validation_error', 422);
  const files = [mail({ attachments: [{ filename: 'a.txt', content: 'YQ==' }] })];
  refused(await resend.batch.send(files), 'invalid_attachment', 422);
});

test('a repeated call sends nothing again', async () => {
  const options = { idempotencyKey: 'order/1001' };
  const beforeCount = await countMessages(account);
  const first = ok(await resend.emails.send(mail(), options));
  const again = await resend.emails.send(mail(), options);
  assert.deepEqual(ok(again), first);
  assert.equal(again.headers?.['idempotent-replayed'], 'true');
  assert.equal(await countMessages(account), beforeCount + 1);
  refused(await resend.emails.send(mail({ subject: 'Other' }), options), 'invalid_idempotent_request', 409);
  refused(
    await resend.emails.send(mail(), { idempotencyKey: 'x'.repeat(257) }),
    'invalid_idempotency_key',
    400,
  );
  const batch = [mail(), mail()];
  const sent = ok(await resend.batch.send(batch, options));
  assert.deepEqual(ok(await resend.batch.send(batch, options)).data, sent.data);
});

test('a key without the right to send is refused with the reason', async () => {
  const as = (key: string) => new Resend(key, { baseUrl: service.base_url });
  const wrong = `${account.api_key.slice(0, -4)}AAAA`;
  refused(await as(wrong).emails.send(mail()), 'invalid_api_key', 403);
  refused(await as('re_123').emails.send(mail()), 'invalid_api_key', 403);
  const reader = await keyWith(account, { scopes: ['mail:read'] });
  refused(await as(reader).emails.send(mail()), 'restricted_api_key', 401);
  const sandbox = await keyWith(account, { scopes: [...scopes], sandbox_only: true });
  const out = { ...mail({ to: 'a@example.com' }), from: account.sender.email };
  refused(await as(sandbox).emails.send(out), 'validation_error', 403);
  const bare = await fetch(`${service.base_url}/emails`, { method: 'POST' });
  assert.equal(bare.status, 401);
  const { name, statusCode } = (await bare.json()) as ErrorResponse;
  assert.deepEqual([name, statusCode], ['missing_api_key', 401]);
});

test('senders that are unknown or not verified are refused', async () => {
  const unknown = refused(
    await resend.emails.send(mail({ from: 'a@unknown.example' })),
    'validation_error',
    403,
  );
  assert.match(unknown.message, /sender/);
  const { email } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'unverified-resend.example',
    status: 'pending',
  });
  refused(await resend.emails.send(mail({ from: email })), 'validation_error', 403);
  refused(await resend.emails.send(mail({ to: 'someone@example.com' })), 'validation_error', 403);
});

test('a topic is the consent purpose of the sender', async () => {
  const [purpose] = await service.db.query<{ id: number }>(
    `select id from consent_purposes where instance_id = $1 and code = 'newsletter'`,
    [account.instance.id],
  );
  const { email, id } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'topic-resend.example',
    more: { requires_consent: true, consent_purpose_id: purpose?.id },
  });
  const to = 'someone@example.com';
  const topicId = String(purpose?.id);
  const sent = ok(await resend.emails.send(mail({ from: email, to, topicId })));
  // Who did not agree gets nothing.
  assert.equal(ok(await resend.emails.get(sent.id)).last_event, 'suppressed');
  const other = await resend.emails.send(mail({ from: account.sender.email, to, topicId }));
  assert.match(refused(other, 'validation_error', 422).message, /`topic_id`.*does not require consent/);
  const unknown = await resend.emails.send(mail({ from: email, to, topicId: String(id + 100_000) }));
  refused(unknown, 'validation_error', 422);
});

test('a key that calls too often is told when to come back', async () => {
  const other = await openSwitching(service);
  await setInstance(service, other.instance.id, { requests_per_second: 1, requests_burst: 1 });
  const client = new Resend(other.api_key, { baseUrl: service.base_url });
  let answer: Response<unknown> = await client.domains.list();
  for (let call = 0; call < 100 && !answer.error; call += 1) answer = await client.domains.list();
  refused(answer, 'rate_limit_exceeded', 429);
  assert.match(answer.headers?.['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal(answer.headers?.['ratelimit-remaining'], '0');
  assert.match(answer.headers?.['ratelimit-reset'] ?? '', /^[1-9]\d*$/);
});

test('a plan that is used up is a quota that is exceeded', async () => {
  const other = await openSwitching(service);
  await setInstance(service, other.instance.id, { plan_send_limit: 1 });
  const client = new Resend(other.api_key, { baseUrl: service.base_url });
  const to = ['a@example.com', 'b@example.com'];
  refused(
    await client.emails.send({ from: other.sender.email, to, subject: 'x', text: 'x' }),
    'monthly_quota_exceeded',
    429,
  );
});

test('an invalid mail is refused with the name of the problem', async () => {
  type Case = [changes: object, name: ErrorResponse['name'], message: RegExp];
  const cases: Case[] = [
    [{ from: undefined }, 'missing_required_field', /`from`/],
    [{ to: undefined }, 'missing_required_field', /`to`/],
    [{ to: [] }, 'missing_required_field', /`to`/],
    [{ subject: undefined }, 'missing_required_field', /subject/],
    [{ html: undefined }, 'missing_required_field', /`html` or `text`/],
    [{ from: 'nobody' }, 'invalid_from_address', /Invalid `from` field/],
    [{ to: 'nobody' }, 'validation_error', /Invalid `to` field/],
    [{ to: 'a@x.cl, b@x.cl' }, 'validation_error', /Invalid `to` field/],
    [{ to: Array.from({ length: 51 }, (_, index) => `a${index}@x.cl`) }, 'validation_error', /50 recipients/],
    [{ subject: 'x'.repeat(255) }, 'validation_error', /`subject`.*254/],
    [{ tags: [{ name: 'ä', value: 'x' }] }, 'validation_error', /ASCII letters/],
    [
      {
        tags: [
          { name: 'a', value: 'x' },
          { name: 'a', value: 'y' },
        ],
      },
      'validation_error',
      /name a/,
    ],
    [{ tags: [{ name: 'x'.repeat(65), value: 'x' }] }, 'validation_error', /tags/],
    [{ topicId: 'b6d24b8e-af0b-4c3c-be0c-359bbd97381e' }, 'validation_error', /`topic_id`/],
    [{ headers: { 'List-Unsubscribe': '<https://x.cl>' } }, 'validation_error', /headers.List-Unsubscribe/],
    [{ headers: { 'Reply-To': 'other@x.cl' } }, 'validation_error', /headers.Reply-To/],
    [{ attachments: [{ path: 'https://x.cl/a.pdf', filename: 'a.pdf' }] }, 'invalid_attachment', /`path`/],
    [{ attachments: [{ content: 'no base64!', filename: 'a.pdf' }] }, 'invalid_attachment', /base64/],
    [{ attachments: [{ content: 'YQ==' }] }, 'invalid_attachment', /`filename`/],
    [
      { attachments: [{ content: Buffer.alloc(1_048_577), filename: 'a.bin' }] },
      'invalid_attachment',
      /at most 1048576 bytes/,
    ],
    [{ template: { id: '1' } }, 'validation_error', /template/],
  ];
  const beforeCount = await countMessages(account);
  for (const [changes, name, message] of cases) {
    const error = refused(await resend.emails.send(mail(changes)), name, 422);
    assert.match(error.message, message, JSON.stringify(changes).slice(0, 200));
  }
  assert.equal(await countMessages(account), beforeCount);
});

test('clients that say in the body which mail they change may do so', async () => {
  const { id } = ok(await resend.emails.send(mail({ scheduledAt: 'in 10 min' })));
  const patch = async (body: object) => {
    const headers = { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' };
    const request = {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ scheduled_at: 'in 1 hour', ...body }),
    };
    return (await fetch(`${service.base_url}/emails/${id}`, request)).status;
  };
  assert.equal(await patch({ id }), 200);
  assert.equal(await patch({ email_id: id }), 200);
  assert.equal(await patch({ id: 'another' }), 422);
});

test('extra members that frameworks send are accepted', async () => {
  const symfony = await fetch(`${service.base_url}//emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...mail(),
      cc: [],
      reply_to: ['r@example.com'],
      headers: {
        'Reply-To': 'r@example.com',
        'MIME-Version': '1.0',
        Date: 'Thu, 19 Nov 2026 00:00:00 +0000',
      },
      tags: [{ 'X-Tag': 'v' }],
    }),
  });
  const { id } = (await symfony.json()) as { id: string };
  assert.equal(symfony.status, 200);
  assert.deepEqual((await storedMarks(service, id)).tags, { 'X-Tag': 'v' });
  assert.deepEqual((await storedMessage(service, id)).envelope.headers, []);
});

test('a path that is not served is named, in the form of the service', async () => {
  const get = async (path: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${account.api_key}` };
    const response = await fetch(`${service.base_url}${path}`, { method, headers });
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    return (await response.json()) as ErrorResponse;
  };
  for (const [path, message] of [
    ['/broadcasts', /does not have broadcasts/],
    ['/audiences/1', /audiences/],
    ['/contacts', /contacts/],
    ['/segments', /segments/],
    ['/topics', /topics/],
    ['/automations', /automations/],
    ['/events', /events/],
    ['/contact-properties', /contact properties/],
    ['/inboxes', /inboxes/],
    ['/logs', /logs/],
    ['/usage', /usage/],
    ['/oauth/grants', /OAuth/],
    ['/webhooks/1/events', /webhooks/],
    ['/api-keys', /API keys/],
    ['/emails/metrics/x', /metrics/],
    ['/emails/1/share', /this path/],
    ['/compat/resend/anything', /this path/],
  ] as const) {
    const error = await get(path);
    assert.deepEqual([error.statusCode, error.name], [404, 'not_found'], path);
    assert.match(error.message, message);
  }
  const method = await get('/emails', 'DELETE');
  assert.deepEqual([method.statusCode, method.name], [405, 'method_not_allowed']);
  const batch = await get('/emails/batch');
  assert.equal(batch.statusCode, 405, JSON.stringify(batch));
});

test('a body that is not JSON is refused as invalid JSON', async () => {
  const response = await fetch(`${service.base_url}/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.api_key}`, 'content-type': 'application/json' },
    body: '{',
  });
  const error = (await response.json()) as ErrorResponse;
  assert.deepEqual([response.status, error.statusCode, error.name], [400, 400, 'validation_error']);
});
