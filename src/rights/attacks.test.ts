import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import type { Contact } from '../base/contacts.ts';
import { openZip } from '../protocol/zip/open-zip.fixture.ts';
import { runErasures } from './run-erasures.ts';

/** Attacks with a key that has only `rights:write`. */
const path = '/v1/rights-requests';
let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

/** Ends a run that would not end by itself. */
const job = () => {
  const until = performance.now() + 10_000;
  return { db: service.db, now: new Date(), isStopping: () => performance.now() > until };
};
const as =
  (contact_type: Contact['contact_type']) =>
  (contact: string): Contact => ({ contact_type, contact });
const [code, phone, email] = [as('uniquecode'), as('phone_number'), as('email_address')];

async function ask({ api }: Tenant, kind: string, contacts: Contact[]): Promise<number> {
  const asked = await api.post(path, { kind, contacts });
  assert.equal(asked.status, 201, asked.text);
  return asked.json.id;
}

/** A request as a version stored it that took any text. */
async function askAsBefore(tenant: Tenant, kind: string, contacts: Contact[]): Promise<number> {
  const standIns = contacts.map((_, index) => code(`stand-in-${index}`));
  const id = await ask(tenant, kind, standIns);
  await service.db.query('update rights_requests set contacts = $2 where id = $1', [
    id,
    JSON.stringify(contacts),
  ]);
  return id;
}

async function fulfil({ api }: Tenant, id: number): Promise<void> {
  const done = await api.post(`${path}/${id}/fulfil`, {});
  assert.equal(done.status, 200, done.text);
}

async function erase(tenant: Tenant, id: number): Promise<void> {
  await fulfil(tenant, id);
  assert.deepEqual(await runErasures(job()), { done: 1, left: 0 });
}

interface Line {
  action?: string;
  object?: [kind: string, id: string];
  details?: object;
}

async function write(
  { instance }: Tenant,
  { action = 'test.written', object, details }: Line,
): Promise<void> {
  await service.db.query(
    `insert into audit_events (instance_id, actor_kind, actor_id, action, object_kind, object_id, details)
     values ($1, 'user', '7', $2, $3, $4, $5)`,
    [instance.id, action, object?.[0] ?? 'member', object?.[1] ?? '7', JSON.stringify(details ?? {})],
  );
}

/** Every line of the log, apart from those of the requests. */
const linesOf = async ({ instance }: Tenant): Promise<object[]> =>
  await service.db.query(
    `select id, at, actor_kind, actor_id, action, object_kind, object_id, details from audit_events
     where instance_id = $1 and object_kind <> 'rights_request' order by id`,
    [instance.id],
  );

test('an erasure of what stands for the erased, under any type, ends', async () => {
  const tenant = await service.tenant();
  await write(tenant, { object: ['contact', 'ana@example.com'] });
  await write(tenant, { details: { rules: [{ contact: 'ana@example.com' }], detail: 'About Ana' } });
  await erase(tenant, await ask(tenant, 'erasure', [email('ana@example.com')]));
  const marks = ['erased@erased.invalid', '[erased]', 'erased'];
  const everything = marks.flatMap((mark) => [code(mark), phone(mark), email(mark)]);
  const erased = await linesOf(tenant);
  await erase(tenant, await askAsBefore(tenant, 'erasure', everything));
  assert.deepEqual(await linesOf(tenant), erased);
});

test('an erasure of a letter as a phone number ends, and no text grows', async () => {
  const tenant = await service.tenant();
  await write(tenant, { object: ['contact', 'the eleventh person'], details: { note: 'eee' } });
  const beforeIt = await linesOf(tenant);
  await erase(tenant, await askAsBefore(tenant, 'erasure', [phone('e'), code('e'), email('e')]));
  assert.deepEqual(await linesOf(tenant), beforeIt);
});

const log: Line[] = [
  { action: 'member.role_changed', details: { email: 'eva@example.com', from: 'viewer', to: 'owner' } },
  {
    action: 'api_key.created',
    object: ['api_key', 'abc123'],
    details: { name: 'shop', scopes: ['rights:write'] },
  },
  { action: 'purpose.created', details: { code: 'marketing', name: '+56912345678' } },
  { action: 'mail_restriction.deleted', object: ['mail_restriction', '1001'], details: { detail: 'shop' } },
];
/** Everything in these lines that is not a contact. */
const words = [
  'member.role_changed',
  'viewer',
  'owner',
  'abc123',
  'shop',
  'rights:write',
  'marketing',
  '1001',
  '7',
  'member',
  'user',
  'api_key',
  'eva',
  'example.com',
  'scopes',
  'details',
];

test('codes and numbers that stand in the log neither wipe nor hide its lines, nor are they given out', async () => {
  const tenant = await service.tenant();
  const admin = await signIn(service, tenant, 'admin');
  for (const line of log) await write(tenant, line);
  const beforeIt = await linesOf(tenant);
  const contacts = [...words.map(code), phone('+56912345678')];
  const access = await askAsBefore(tenant, 'access', contacts);
  assert.deepEqual(await archived(tenant, access), []);
  await fulfil(tenant, await askAsBefore(tenant, 'blocking', contacts));
  const listed = await admin.get('/v1/private/audit-events?page_size=100');
  const shown: { id: number; details: object }[] = listed.json.data;
  for (const line of beforeIt as { id: number; details: object }[]) {
    assert.deepEqual(shown.find(({ id }) => id === line.id)?.details, line.details);
  }
  await erase(tenant, await askAsBefore(tenant, 'erasure', contacts));
  assert.deepEqual(await linesOf(tenant), beforeIt);
});

async function archived(tenant: Tenant, id: number): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${service.base_url}${path}/${id}/archive`, {
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug },
  });
  const files = await openZip(Buffer.from(await response.arrayBuffer()));
  return JSON.parse(files.get('audit_events.json') ?? 'null');
}

test('audit lines keep actor, action, object and time, and only members see them', async () => {
  const tenant = await service.tenant();
  const admin = await signIn(service, tenant, 'admin');
  const ana = email('ana@example.com');
  await write(tenant, {
    action: 'member.role_changed',
    details: { email: ana.contact, from: 'viewer', to: 'owner', scopes: ['rights:write'] },
  });
  await write(tenant, {
    action: 'webhook.created',
    details: { name: 'Orders', url: 'https://example.com/?mailto=ana@example.com&x=1', is_active: true },
  });
  const whole = (await linesOf(tenant)).slice(-2) as { id: number; details: object }[];
  const given = await archived(tenant, await ask(tenant, 'access', [ana]));
  assert.doesNotMatch(JSON.stringify(given), /role_changed|webhook|viewer|owner|rights:write|Orders|x=1|"7"/);
  assert.match(JSON.stringify(given), /ana@example\.com.*ana@example\.com/);

  const blocking = await ask(tenant, 'blocking', [ana]);
  await fulfil(tenant, blocking);
  const page = await admin.get('/v1/private/audit-events?page_size=100');
  const file = await admin.get('/v1/private/audit-events/export?format=json');
  for (const { json, text } of [page, file]) {
    assert.doesNotMatch(text, /ana@example/);
    const shown = whole.map(({ id }) => json.data.find((line: { id: number }) => line.id === id));
    assert.deepEqual(
      shown.map(({ action, object_id, details: { from, to, scopes, name, is_active } }) => [
        action,
        object_id,
        from,
        to,
        scopes,
        name,
        is_active,
      ]),
      [
        ['member.role_changed', '7', 'viewer', 'owner', ['rights:write'], undefined, undefined],
        ['webhook.created', '7', undefined, undefined, undefined, 'Orders', true],
      ],
    );
  }
  assert.equal((await tenant.api.post(`${path}/${blocking}/lift`, {})).status, 200);

  await erase(tenant, await ask(tenant, 'erasure', [ana]));
  const afterIt = (await linesOf(tenant)).filter(({ id }: { id?: number }) =>
    whole.some((line) => line.id === id),
  );
  const without = (lines: object[]) => lines.map((line) => ({ ...line, details: undefined }));
  assert.deepEqual(without(afterIt), without(whole));
  assert.doesNotMatch(JSON.stringify(afterIt), /ana@example/);
  assert.match(JSON.stringify(afterIt), /"owner".*"viewer".*rights:write.*x=1.*Orders/);
});

test('fifty long codes that are blocked do not make the log slow', async () => {
  const tenant = await service.tenant();
  const admin = await signIn(service, tenant, 'admin');
  await service.db.query(
    `insert into audit_events (instance_id, actor_kind, action, object_kind, details)
     select $1, 'system', 'test.written', 'test', jsonb_build_object('name', repeat('word ', 200))
     from generate_series(1, 3000)`,
    [tenant.instance.id],
  );
  const codes = Array.from({ length: 50 }, (_, index) => code(`${index}${'(é'.repeat(255)}`));
  await fulfil(tenant, await askAsBefore(tenant, 'blocking', codes));
  const began = performance.now();
  assert.equal((await admin.get('/v1/private/audit-events')).status, 200);
  const took = performance.now() - began;
  assert.ok(took < 3_000, `${Math.round(took)} ms`);
});

const domain = 'mail.example.com';
async function receive({ instance }: Tenant, from: string, text: string): Promise<void> {
  await service.db.query(
    `insert into inbound_messages (instance_id, recipient, mail_from, header_from, subject, remote_ip, size_bytes, raw, received_at)
     values ($1, $2, $3, $4, 'About your mail', '192.0.2.1', 10, $5, now())`,
    [
      instance.id,
      `postmaster@${domain}`,
      from,
      `Somebody <${from}>`,
      Buffer.from(`To: postmaster@${domain}\r\n\r\n${text}`),
    ],
  );
}

test('addresses of the mailbox, and codes, delete and hide no mail to postmaster', async () => {
  const tenant = await service.tenant();
  const viewer = await signIn(service, tenant, 'viewer');
  await service.db.query(
    `with domain as (
       insert into domains (instance_id, domain, ownership_token) values ($1, $2, 'abcdefghijklmnopqrst') returning id)
     insert into senders (instance_id, domain_id, name, email_address) select $1, id, 'News', $3 from domain`,
    [tenant.instance.id, domain, `News@${domain}`],
  );
  await receive(tenant, 'eva@example.org', `Original-Mail-From: <news@${domain}>, abuse@${domain}`);
  await receive(tenant, 'provider@example.net', `From: "News" <news@${domain}>`);
  const mine = ['postmaster', 'abuse', 'news'].map((name) => email(`${name}@${domain}`));
  const codes = ['about', 'example', 'your', 'Somebody', 'postmaster', 'mail', `postmaster@${domain}`].map(
    code,
  );
  const subjects = async (): Promise<number> =>
    (await viewer.get('/v1/private/inbound-messages')).json.data.length;
  await fulfil(tenant, await askAsBefore(tenant, 'blocking', [...mine, ...codes]));
  assert.equal(await subjects(), 2);
  await erase(tenant, await askAsBefore(tenant, 'erasure', [...mine, ...codes]));
  assert.equal(await subjects(), 2);
});

test('a code with the text of an address does not block, erase or show the person with that address', async () => {
  const tenant = await service.tenant();
  const { api, instance } = tenant;
  const viewer = await signIn(service, tenant, 'viewer');
  const [ana, asCode] = ['ana@sandbox.test', code('ana@sandbox.test')];
  await viewer.post('/v1/private/mail-restrictions', { recipient: ana });
  const sent = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: ana }],
    subject: 'Hello',
    html: '<p>Hello</p>',
  });
  assert.equal(sent.status, 200, sent.text);
  const aboutAna = await ask(tenant, 'access', [email(ana)]);
  await fulfil(tenant, await askAsBefore(tenant, 'blocking', [asCode]));
  assert.match((await api.get('/v1/mails')).text, /ana@sandbox/);
  await erase(tenant, await askAsBefore(tenant, 'erasure', [asCode]));
  assert.deepEqual((await api.get(`${path}/${aboutAna}`)).json.contacts, [email(ana)]);
});
