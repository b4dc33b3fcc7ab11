import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Resend } from 'resend';
import { keyWith, openSwitching } from '../compat-bed.fixture.ts';
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

test('attachments of a sent mail are listed, and downloaded by links', async () => {
  const attachments = [
    { filename: 'a.html', content: Buffer.from('<script>'), contentType: 'text/html' },
    { filename: 'logo.png', content: Buffer.from('two'), contentId: 'logo' },
  ];
  const { id: emailId } = ok(await resend.emails.send(mail({ attachments })));
  const list = ok(await resend.emails.attachments.list({ emailId }));
  const [first, second] = list.data;
  assert.deepEqual(
    list.data.map(({ filename, size, content_type, content_disposition, content_id }) => [
      filename,
      size,
      content_type,
      content_disposition,
      content_id,
    ]),
    [
      ['a.html', 8, 'text/html', 'attachment', null],
      ['logo.png', 3, 'image/png', 'inline', 'logo'],
    ],
  );
  assert.ok(first && second);
  const { object, download_url } = ok(await resend.emails.attachments.get({ emailId, id: first.id }));
  assert.equal(object, 'attachment');
  const file = await fetch(download_url);
  assert.equal(await file.text(), '<script>');
  // Never a page of this host.
  assert.deepEqual(
    [file.headers.get('content-type'), file.headers.get('content-disposition')],
    ['application/octet-stream', 'attachment'],
  );
  const changed = await fetch(download_url.replace(`${emailId}-${first.id}-`, `${emailId}-${second.id}-`));
  assert.equal(changed.status, 404);
  const page = ok(await resend.emails.attachments.list({ emailId, limit: 1 }));
  assert.deepEqual([page.data.length, page.has_more], [1, true]);
  const rest = ok(await resend.emails.attachments.list({ emailId, after: first.id }));
  assert.deepEqual(
    rest.data.map(({ filename }) => filename),
    ['logo.png'],
  );
  refused(await resend.emails.attachments.get({ emailId, id: '9' }), 'not_found', 404);
  const other = await openSwitching(service);
  const stranger = new Resend(other.api_key, { baseUrl: service.base_url });
  refused(await stranger.emails.attachments.list({ emailId }), 'not_found', 404);
});

test('a mail is scheduled, moved, read and cancelled', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = ok(await resend.emails.send(mail({ scheduledAt: 'in 10 min' })));
  const scheduled = ok(await resend.emails.get(id));
  assert.equal(scheduled.last_event, 'scheduled');
  const ahead = new Date(scheduled.scheduled_at ?? 0).getTime() - Date.now();
  assert.ok(ahead > 8 * 60_000 && ahead <= 10 * 60_000, `${ahead} ms`);
  assert.deepEqual(ok(await resend.emails.update({ id, scheduledAt: inAnHour })), { object: 'email', id });
  assert.equal(ok(await resend.emails.get(id)).scheduled_at, inAnHour);
  refused(await resend.emails.update({ id, scheduledAt: 'next week' }), 'validation_error', 422);
  const tooFar = new Date(Date.now() + 70 * 86_400_000).toISOString();
  refused(await resend.emails.update({ id, scheduledAt: tooFar }), 'validation_error', 422);
  assert.deepEqual(ok(await resend.emails.cancel(id)), { object: 'email', id });
  assert.equal(ok(await resend.emails.get(id)).last_event, 'canceled');
  refused(await resend.emails.update({ id, scheduledAt: inAnHour }), 'validation_error', 422);
  refused(await resend.emails.send(mail({ scheduledAt: 'tomorrow at noon' })), 'validation_error', 422);
});

test('a sent mail is read as its types say', async () => {
  const { id } = ok(
    await resend.emails.send(
      mail({ cc: 'Carla <c@sandbox.test>', replyTo: 'r@example.com', tags: [{ name: 'a', value: 'b' }] }),
    ),
  );
  const { created_at, ...read } = ok(await resend.emails.get(id));
  assert.ok(Math.abs(Date.now() - new Date(created_at).getTime()) < 60_000);
  assert.deepEqual(read, {
    object: 'email',
    id,
    message_id: `<${id}@${account.from.split('@')[1]}>`,
    to: ['delivered@sandbox.test'],
    from: `Ana Pérez <${account.from}>`,
    subject: 'Hello',
    html: '<p>Hi</p>',
    text: null,
    cc: ['Carla <c@sandbox.test>'],
    bcc: [],
    reply_to: ['r@example.com'],
    last_event: 'queued',
    scheduled_at: null,
    tags: [{ name: 'a', value: 'b' }],
  });
  refused(await resend.emails.get('nothing'), 'invalid_parameter', 422);
  refused(await resend.emails.get(id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))), 'not_found', 404);
});

test('mails are listed newest first, on both sides of a cursor', async () => {
  const other = await openSwitching(service);
  const client = new Resend(other.api_key, { baseUrl: `${service.base_url}/compat/resend` });
  const ids: string[] = [];
  for (const subject of ['1', '2', '3', '4', '5']) {
    ids.unshift(
      ok(await client.emails.send({ ...mail({ subject }), from: other.from, cc: 'x@sandbox.test' })).id,
    );
  }
  const idsOf = async (options: object) => {
    const { data, has_more, object } = ok(await client.emails.list(options));
    assert.equal(object, 'list');
    return [data.map(({ id }) => ids.indexOf(id)), has_more];
  };
  assert.deepEqual(await idsOf({}), [[0, 1, 2, 3, 4], false]);
  assert.deepEqual(await idsOf({ limit: 2 }), [[0, 1], true]);
  assert.deepEqual(await idsOf({ limit: 2, after: ids[1] }), [[2, 3], true]);
  assert.deepEqual(await idsOf({ limit: 2, after: ids[2] }), [[3, 4], false]);
  assert.deepEqual(await idsOf({ limit: 2, before: ids[3] }), [[1, 2], true]);
  assert.deepEqual(await idsOf({ limit: 5, before: ids[2] }), [[0, 1], false]);
  refused(await client.emails.list({ limit: 101 }), 'validation_error', 422);
  // Mails of another instance are not there.
  refused(await resend.emails.get(ids[0] ?? ''), 'not_found', 404);
  refused(await resend.emails.cancel(ids[0] ?? ''), 'not_found', 404);
});

test('a suppressed recipient is accepted and told of by its last event', async () => {
  const { id: suppression } = ok(await resend.suppressions.add({ email: 'Gone@sandbox.test' }));
  assert.deepEqual(ok(await resend.suppressions.add({ email: 'gone@sandbox.test' })), {
    object: 'suppression',
    id: suppression,
  });
  const { id } = ok(await resend.emails.send(mail({ to: 'gone@sandbox.test' })));
  assert.equal(ok(await resend.emails.get(id)).last_event, 'suppressed');

  const { created_at, ...read } = ok(await resend.suppressions.get('GONE@sandbox.test'));
  assert.ok(created_at);
  assert.deepEqual(read, {
    object: 'suppression',
    id: suppression,
    email: 'Gone@sandbox.test',
    origin: 'manual',
    source_id: null,
  });
  const { data } = ok(await resend.suppressions.batch.add({ emails: ['a1@x.cl', 'a2@x.cl', 'a3@x.cl'] }));
  assert.equal(new Set(data.map((each) => each.id)).size, 3);
  const emails = (list: { data: { email: string }[] }) => list.data.map(({ email }) => email);
  const first = ok(await resend.suppressions.list({ limit: 2 }));
  assert.deepEqual(emails(first), ['a3@x.cl', 'a2@x.cl']);
  assert.equal(first.has_more, true);
  const next = ok(await resend.suppressions.list({ after: first.data[1]?.id ?? '' }));
  assert.deepEqual([emails(next), next.has_more], [['a1@x.cl', 'Gone@sandbox.test'], false]);
  const newer = ok(await resend.suppressions.list({ before: data[0]?.id ?? '', limit: 1 }));
  assert.deepEqual([emails(newer), newer.has_more], [['a2@x.cl'], true]);
  assert.deepEqual(emails(ok(await resend.suppressions.list({ origin: 'complaint' }))), []);
  assert.deepEqual(ok(await resend.suppressions.remove('a1@x.cl')), {
    object: 'suppression',
    id: data[0]?.id,
    deleted: true,
  });
  const rest = ok(await resend.suppressions.batch.remove({ ids: [data[1]?.id ?? '', data[2]?.id ?? ''] }));
  assert.equal(rest.data.length, 2);
  refused(await resend.suppressions.remove('a1@x.cl'), 'not_found', 404);
  refused(await resend.suppressions.add({ email: 'nobody' }), 'validation_error', 422);
  const [line] = await service.db.query<{ details: { via: string } }>(
    `select details from audit_events where instance_id = $1 and action = 'mail_restriction.created' limit 1`,
    [account.instance.id],
  );
  assert.equal(line?.details.via, 'resend');
});

test('domains are read', async () => {
  const { data } = ok(await resend.domains.list());
  const own = data.find(({ name }) => name === account.sender.email.split('@')[1]);
  assert.equal(own?.status, 'verified');
  const { object, records, capabilities } = ok(await resend.domains.get(own?.id ?? ''));
  assert.equal(object, 'domain');
  assert.deepEqual(capabilities, { sending: 'enabled', receiving: 'disabled' });
  assert.equal(records.filter(({ record }) => record === 'DKIM').length, 2);
  refused(await resend.domains.get('999999999'), 'not_found', 404);
});

test('a domain is registered, verified and deleted', async () => {
  const created = ok(await resend.domains.create({ name: 'new-resend.example', region: 'us-east-1' }));
  assert.deepEqual(
    [created.name, created.status, created.records.filter(({ record }) => record === 'DKIM').length],
    ['new-resend.example', 'not_started', 2],
  );
  const { id } = created;
  assert.deepEqual(ok(await resend.domains.verify(id)), { object: 'domain', id });
  // Its records are nowhere.
  assert.equal(ok(await resend.domains.get(id)).status, 'failed');
  refused(await resend.domains.create({ name: 'new-resend.example' }), 'validation_error', 409);
  refused(await resend.domains.create({ name: 'no domain' }), 'validation_error', 422);
  for (const [more, named] of [
    [{ region: 'eu-west-1' }, /`region`/],
    [{ customReturnPath: 'x' }, /`custom_return_path`/],
    [{ tls: 'enforced' }, /`tls`/],
    [{ trackingSubdomain: 'x' }, /`tracking_subdomain`/],
    [{ openTracking: true }, /`open_tracking`/],
    [{ capabilities: { receiving: 'enabled' } }, /receiving/],
  ] as const) {
    const other = await resend.domains.create({ name: 'other-resend.example', ...more });
    assert.match(refused(other, 'validation_error', 422).message, named);
  }
  const changed = refused(await resend.domains.update({ id, openTracking: true }), 'not_found', 404);
  assert.match(changed.message, /changes of domains/);
  const template = await resend.templates.create({ name: 'x', html: 'x' });
  assert.match(refused(template, 'not_found', 404).message, /changes of templates/);
  const other = await openSwitching(service);
  const stranger = new Resend(other.api_key, { baseUrl: service.base_url });
  refused(await stranger.domains.verify(id), 'not_found', 404);
  refused(await stranger.domains.remove(id), 'not_found', 404);
  const reader = await keyWith(account, { scopes: ['domains:read'] });
  const reading = new Resend(reader, { baseUrl: service.base_url });
  refused(await reading.domains.remove(id), 'restricted_api_key', 401);
  assert.deepEqual(ok(await resend.domains.remove(id)), { object: 'domain', id, deleted: true });
  refused(await resend.domains.get(id), 'not_found', 404);
});

test('webhooks are created, read, changed and deleted', async () => {
  const endpoint = 'http://127.0.0.1:9/hook';
  const created = ok(await resend.webhooks.create({ endpoint, events: ['email.delivered', 'email.failed'] }));
  const { id, signing_secret } = created;
  assert.match(signing_secret, /^whsec_/);
  const { created_at, ...read } = ok(await resend.webhooks.get(id));
  assert.ok(Math.abs(Date.now() - new Date(created_at).getTime()) < 60_000);
  // What is dropped is suppressed or failed.
  const events = ['email.delivered', 'email.suppressed', 'email.failed'];
  assert.deepEqual(read, { object: 'webhook', id, status: 'enabled', endpoint, events });
  const change = {
    endpoint: `${endpoint}/2`,
    events: ['email.bounced' as const],
    status: 'disabled' as const,
  };
  assert.deepEqual(ok(await resend.webhooks.update(id, change)), { object: 'webhook', id });
  const { data } = ok(await resend.webhooks.list());
  assert.deepEqual(data, [{ id, created_at, ...change }]);
  const rotated = ok(await resend.webhooks.rotateSigningSecret(id));
  assert.match(rotated.signing_secret, /^whsec_/);
  assert.notEqual(rotated.signing_secret, signing_secret);
  const [row] = await service.db.query<{ format: string; name: string }>(
    'select format, name from webhooks where id = $1',
    [id],
  );
  assert.deepEqual(row, { format: 'resend', name: '127.0.0.1:9' });

  const bad: [object, RegExp][] = [
    [{ endpoint: 'nothing', events: ['email.sent'] }, /`endpoint`/],
    [{ endpoint: 'http://127.0.0.1', events: [] }, /`events`/],
    [{ endpoint: 'http://127.0.0.1', events: ['email.sent'] }, /not email\.sent/],
    [{ endpoint: 'http://127.0.0.1', events: ['contact.created'] }, /not contact\.created/],
    [{ endpoint: 'http://me:secret@127.0.0.1', events: ['email.opened'] }, /credentials/],
  ];
  for (const [given, message] of bad) {
    const error = refused(await resend.webhooks.create(given as never), 'validation_error', 422);
    assert.match(error.message, message);
  }
  refused(await resend.webhooks.create({ endpoint } as never), 'missing_required_field', 422);
  refused(await resend.webhooks.update(id, { status: 'paused' } as never), 'validation_error', 422);
  // Of other instances, and of other forms.
  const other = await openSwitching(service);
  const stranger = new Resend(other.api_key, { baseUrl: service.base_url });
  refused(await stranger.webhooks.get(id), 'not_found', 404);
  refused(await stranger.webhooks.update(id, { status: 'enabled' }), 'not_found', 404);
  refused(await stranger.webhooks.rotateSigningSecret(id), 'not_found', 404);
  refused(await stranger.webhooks.remove(id), 'not_found', 404);
  const { json } = await account.api.post('/v1/webhooks', { name: 'Ours', url: endpoint });
  refused(await resend.webhooks.remove(String(json.id)), 'not_found', 404);
  assert.deepEqual(ok(await resend.webhooks.remove(id)), { object: 'webhook', id, deleted: true });
  assert.deepEqual(ok(await resend.webhooks.list()).data, []);
});
