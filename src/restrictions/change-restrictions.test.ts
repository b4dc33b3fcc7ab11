import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';

const path = '/v1/private/mail-restrictions';
let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());

async function lastAudit(): Promise<unknown> {
  const [row] = await service.db.query(
    'select actor_kind, actor_id, action, details from audit_events where instance_id = $1 order by id desc limit 1',
    [tenant.instance.id],
  );
  return row;
}
const by = () => ({ actor_kind: 'user', actor_id: String(developer.id) });

async function statusOf(mail_id: string): Promise<number> {
  return (await tenant.api.get(`/v1/mails/${mail_id}`)).json.status;
}

test('an address is restricted, found, and lifted again, each with its audit event', async () => {
  const { status, headers, json } = await developer.post(path, {
    recipient: ' Ñandú@EXAMPLE.com ',
    detail: 'Asked by phone.',
  });
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `${path}/${json.id}`);
  assert.deepEqual(
    [json.recipient, json.reason, json.mail_id, json.detail],
    ['Ñandú@example.com', 'manual', null, 'Asked by phone.'],
  );
  assert.deepEqual(await lastAudit(), {
    ...by(),
    action: 'mail_restriction.created',
    details: { recipient: 'Ñandú@example.com', detail: 'Asked by phone.' },
  });
  assert.deepEqual((await developer.get(`${path}/${json.id}`)).json, json);
  const again = await developer.post(path, { recipient: 'ÑANDÚ@example.com' });
  assert.deepEqual([again.status, again.json.code], [409, 'mail_restriction_already_exists']);

  assert.equal((await developer.delete(`${path}/${json.id}`)).status, 204);
  assert.deepEqual(await lastAudit(), {
    ...by(),
    action: 'mail_restriction.deleted',
    details: { recipient: 'Ñandú@example.com', reason: 'manual', mail_id: null, detail: 'Asked by phone.' },
  });
  assert.equal((await developer.delete(`${path}/${json.id}`)).json.code, 'mail_restriction_not_found');
});

test('rejects what is not an address, and viewers only read', async () => {
  const { status, json } = await developer.post(path, { recipient: 'nobody' });
  assert.deepEqual([status, json.errors[0].pointer], [422, '/recipient']);
  const viewer = await signIn(service, tenant, 'viewer');
  assert.equal((await viewer.get(path)).status, 200);
  assert.equal((await viewer.post(path, { recipient: 'a@example.com' })).status, 403);
  assert.equal((await viewer.post(`${path}/import`, { csv: 'a@example.com' })).status, 403);
});

test('a file is imported line by line, with a report of what was refused and why', async () => {
  const csv = [
    '\u{feff}Name;EMAIL;Reason;Note',
    'Ana;first@sandbox.test;;',
    '"Bea; B.";"Second@sandbox.test";complaint;"said ""no"""',
    'Ana;FIRST@sandbox.test;manual;',
    '',
    'Cid;not an address;;',
    'Dan;fourth@sandbox.test;bored;',
    'Eva;;;',
    'Fay;hard@sandbox.test;Hard_Bounce;550',
  ].join('\r\n');
  const { status, json, text } = await developer.post(`${path}/import`, { csv });
  assert.equal(status, 200, text);
  const report = {
    rows: 7,
    added: 3,
    already_restricted: 1,
    refused: [
      { line: 6, value: 'not an address', reason: 'invalid_email' },
      { line: 7, value: 'fourth@sandbox.test', reason: 'unknown_reason' },
      { line: 8, value: '', reason: 'invalid_email' },
    ],
  };
  assert.deepEqual(json, report);
  assert.deepEqual(await lastAudit(), {
    ...by(),
    action: 'mail_restriction.imported',
    details: { rows: 7, added: 3, already_restricted: 1, refused: 3 },
  });
  const { json: listed } = await tenant.api.get('/v1/mail-restrictions?recipient=sandbox.test');
  assert.deepEqual(
    listed.data.map(({ recipient, reason, detail }: Record<string, unknown>) => [recipient, reason, detail]),
    [
      ['hard@sandbox.test', 'hard_bounce', '550'],
      ['Second@sandbox.test', 'complaint', 'said "no"'],
      ['first@sandbox.test', 'manual', null],
    ],
  );
  assert.equal(await statusOf(await acceptedMail(service, tenant, 'SECOND@sandbox.test')), 4);
});

async function upload(file: string | Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(Buffer.from(file))], { type: 'text/csv' }), 'suppressed.csv');
  return await fetch(`${service.base_url}${path}/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${developer.access_token}`,
      'x-instance-slug': tenant.instance.slug,
    },
    body: form,
  });
}

test('a file of many addresses without names comes as a form', async () => {
  const lines = Array.from({ length: 2_500 }, (_, index) => `person-${index}@bulk.example`);
  const response = await upload(lines.join('\n'));
  assert.deepEqual(await response.json(), { rows: 2_500, added: 2_500, already_restricted: 0, refused: [] });
  const again = await upload(
    Buffer.from([...lines.slice(0, 3), 'se\xf1al@bulk.example'].join('\n'), 'latin1'),
  );
  assert.deepEqual(await again.json(), {
    rows: 4,
    added: 0,
    already_restricted: 3,
    refused: [{ line: 4, value: 'se\u{fffd}al@bulk.example', reason: 'invalid_email' }],
  });
});

test('the wrong file imports nothing', async () => {
  const wrong = `good@wrong.example\n${'x\n'.repeat(10_001)}`;
  const unclosed = 'good@wrong.example\n"bad@wrong.example\n';
  for (const [csv, message] of [
    [wrong, /more than 10000 lines without a valid address, the first of them line 2; nothing was imported/],
    [unclosed, /never closed, at line 2; nothing was imported/],
  ] as const) {
    const { status, json } = await developer.post(`${path}/import`, { csv });
    assert.equal(status, 422);
    assert.match(json.errors[0].message, message);
  }
  assert.equal((await developer.post(`${path}/import`, {})).status, 422);
  assert.deepEqual((await tenant.api.get('/v1/mail-restrictions?recipient=wrong.example')).json.data, []);
  assert.equal((await upload(Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))).status, 413);
});

test('another instance can neither see nor lift it', async () => {
  const { json } = await developer.post(path, { recipient: 'mine@example.com' });
  const other = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await other.get(`${path}/${json.id}`)).json.code, 'mail_restriction_not_found');
  assert.equal((await other.delete(`${path}/${json.id}`)).json.code, 'mail_restriction_not_found');
  assert.equal((await other.post(path, { recipient: 'mine@example.com' })).status, 201);
});
