import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import { erasedAddress, erasedText } from '../base/personal-data.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { recordComplaint } from '../events/record-complaint.ts';
import { recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { openZip } from '../protocol/zip/open-zip.fixture.ts';
import { rooms } from './personal-data.ts';
import { runErasures } from './run-erasures.ts';

const path = '/v1/rights-requests';
let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

/** Ends a run that would not end by itself. */
const job = () => {
  const until = performance.now() + 20_000;
  return { db: service.db, now: new Date(), isStopping: () => performance.now() > until };
};

async function ask({ api }: Tenant, contact: string, contact_type = 'email_address'): Promise<number> {
  const asked = await api.post(path, { kind: 'erasure', contacts: [{ contact, contact_type }] });
  assert.equal(asked.status, 201, asked.text);
  return asked.json.id;
}

async function erase({ api }: Tenant, id: number): Promise<void> {
  assert.equal((await api.post(`${path}/${id}/fulfil`, {})).status, 200);
  assert.deepEqual(await runErasures(job()), { done: 1, left: 0 });
}

/** Writes a line that has nothing to do with the person. */
async function writeLine(
  { instance }: Tenant,
  object: { kind: string; id: string },
  details: object,
): Promise<void> {
  await service.db.query(
    `insert into audit_events (instance_id, actor_kind, action, object_kind, object_id, details)
     values ($1, 'system', 'test.written', $2, $3, $4)`,
    [instance.id, object.kind, object.id, JSON.stringify(details)],
  );
}

const linesOf = async ({ instance }: Tenant): Promise<unknown[]> =>
  await service.db.query(
    `select object_kind, object_id, details from audit_events where instance_id = $1 and action = 'test.written' order by id`,
    [instance.id],
  );

test('a second request of a person who was erased meanwhile finds nothing, and touches nothing', async () => {
  const tenant = await service.tenant();
  const [first, second] = [await ask(tenant, 'ana@example.com'), await ask(tenant, 'ana@example.com')];
  await writeLine(tenant, { kind: 'sender', id: '7' }, { email: 'eva@example.com' });
  const beforeIt = await linesOf(tenant);
  await erase(tenant, first);
  assert.deepEqual(await linesOf(tenant), beforeIt);
  await erase(tenant, second);
  assert.deepEqual(await linesOf(tenant), beforeIt);
});

test('an identifier that is also a number or a name in the audit log ends, and takes no line of others', async () => {
  const tenant = await service.tenant();
  await writeLine(tenant, { kind: 'mail_restriction', id: '1001' }, { rows: 1_234_567, name: 'Ana' });
  const beforeIt = await linesOf(tenant);
  await erase(tenant, await ask(tenant, '1001', 'uniquecode'));
  await erase(tenant, await ask(tenant, 'rows', 'uniquecode'));
  await erase(tenant, await ask(tenant, '+1234567', 'phone_number'));
  assert.deepEqual(await linesOf(tenant), beforeIt);
});

test('an answer stored for a repeated call does not name an erased person, and is given again', async () => {
  const tenant = await service.tenant();
  const mail = (member: string) => ({
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>Hello</p>',
    [member]: 'unknown',
  });
  const mails = [mail('text'), mail('ana@example.com'), mail('susana@example.com')];
  const send = async () =>
    await tenant.api.post('/v1/mails/batch', { mails }, { 'idempotency-key': 'for-ana' });
  const first = await send();
  const id = await ask(tenant, 'Ana@example.com');
  const archived = await ofPerson(tenant, 'ana@example.com');
  assert.match(JSON.stringify(archived), /ana@example.com/);
  await erase(tenant, id);
  const again = await send();
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.json.data[0], first.json.data[0]);
  assert.equal(again.json.data[1].error.errors[0].pointer, `/mails/1/${erasedAddress}`);
  assert.equal(again.json.data[2].error.errors[0].pointer, '/mails/2/susana@example.com');
  assert.deepEqual(await ofPerson(tenant, 'ana@example.com'), []);
});

/** What the kept answers say about a person. */
async function ofPerson({ instance }: Tenant, email: string): Promise<unknown[]> {
  const collection = rooms.flatMap(({ collect }) => collect).find(({ name }) => name === 'idempotency_keys');
  assert.ok(collection);
  const person = { instance_id: instance.id, emails: [email], phones: [], codes: [] };
  const pages: unknown[] = [];
  for await (const rows of collection.rows(service.db, person)) pages.push(...rows);
  return pages;
}

test('a phone number is erased from the audit log however it was written', async () => {
  const tenant = await service.tenant();
  await writeLine(tenant, { kind: 'contact', id: '+56 (9) 1234–5678' }, { note: 'Call +56-9-1234.5678' });
  await writeLine(tenant, { kind: 'contact', id: '+56 9 1234 56789' }, {});
  await erase(tenant, await ask(tenant, '+56912345678', 'phone_number'));
  assert.deepEqual(await linesOf(tenant), [
    { object_kind: 'contact', object_id: erasedText, details: { note: erasedText } },
    { object_kind: 'contact', object_id: '+56 9 1234 56789', details: {} },
  ]);
});

test('mail of a person whose address ends alike is neither in the archive nor erased', async () => {
  const tenant = await service.tenant();
  const write = async (from: string, text: string): Promise<void> => {
    await service.db.query(
      `insert into inbound_messages (instance_id, recipient, mail_from, header_from, subject, remote_ip, size_bytes, raw, received_at)
       values ($1, 'postmaster@example.com', $2, $3, 'Hello', '192.0.2.1', 10, $4, now())`,
      [tenant.instance.id, from, `Somebody <${from}>`, Buffer.from(`From: <${from}>\r\n\r\n${text}`)],
    );
  };
  await write('susana@example.com', 'From susana@example.com, and ana@example.com.ar.');
  await write('Ana@Example.com', 'Hello');
  await write('eva@example.com', 'Write to Ana@example.com.');
  const asked = await tenant.api.post(path, {
    kind: 'access',
    contacts: [{ contact: 'ana@example.com', contact_type: 'email_address' }],
  });
  const response = await fetch(`${service.base_url}${path}/${asked.json.id}/archive`, {
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug },
  });
  const files = await openZip(Buffer.from(await response.arrayBuffer()));
  const shown = JSON.parse(files.get('inbound_messages.json') ?? '[]') as { header_from: string }[];
  assert.deepEqual(
    shown.map(({ header_from }) => header_from),
    ['Somebody <Ana@Example.com>', 'Somebody <eva@example.com>'],
  );
  await erase(tenant, await ask(tenant, 'ana@example.com'));
  const left = await service.db.query('select mail_from from inbound_messages where instance_id = $1', [
    tenant.instance.id,
  ]);
  assert.deepEqual(left, [{ mail_from: 'susana@example.com' }]);
});

/** Ana in every table that knows persons by their address; what is said there names the instance. */
async function writeAna(tenant: Tenant): Promise<void> {
  const { db } = service;
  const { id, slug } = tenant.instance;
  const address = 'ana@sandbox.test';
  const [one, two] = [
    await acceptedMail(service, tenant, address),
    await acceptedMail(service, tenant, address),
  ];
  const at = new Date();
  await recordComplaint(db, { mail_id: one, type: 'spam', comment: slug, at });
  await recordUnsubscribe(db, { mail_id: two, method: 'page', reason: slug, at });
  await writeLine(tenant, { kind: 'contact', id: address }, { note: slug });
  await ask(tenant, address);
  await (await openConsentAccount(service, tenant)).recordAllow(address);
  await db.query(
    `insert into inbound_messages (instance_id, recipient, mail_from, header_from, subject, remote_ip, size_bytes, raw, received_at)
     values ($1, 'postmaster@example.com', $2, $2, $3, '192.0.2.1', 2, 'Hi', now())`,
    [id, address, slug],
  );
  await db.query(
    `insert into invitations (instance_id, email, role, token_hash, created_at, expires_at)
     values ($1, $2, 'viewer', sha256($3), now(), now())`,
    [id, address, Buffer.from(slug)],
  );
  await db.query(
    `with form as (
       insert into forms (instance_id, name, kind, type, public_token)
       values ($1, 'F', 'advanced', 'registration', rpad($3::text, 43, '-')) returning id)
     insert into form_submissions (instance_id, form_id, status, answers, created_at, confirmed_at)
     select $1, id, 'confirmed', jsonb_build_object('EMAIL', $2::text, 'NOTE', $3::text), now(), now() from form`,
    [id, address, slug],
  );
}

/** What an instance has in tables that hold persons: rows as text, by table. */
async function rowsOf({ instance }: Tenant): Promise<Map<string, string[]>> {
  const tables = await service.db.query<{ name: string }>(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'instance_id' and table_name = any ($1::text[]) order by 1`,
    [rooms.flatMap((room) => room.tables)],
  );
  const rows = new Map<string, string[]>();
  for (const { name } of tables) {
    const found = await service.db.query<{ row: string }>(
      `select t::text as row from ${name} t where instance_id = $1 order by 1`,
      [instance.id],
    );
    rows.set(
      name,
      found.map(({ row }) => row),
    );
  }
  return rows;
}

test('a person of two instances is erased and shown only in the instance that was asked', async () => {
  const [mine, theirs] = [await service.tenant(), await service.tenant()];
  await writeAna(mine);
  await indexSubjectsJob.run(job());
  const asked = await mine.api.post(path, {
    kind: 'access',
    contacts: [{ contact: 'ana@sandbox.test', contact_type: 'email_address' }],
  });
  const archive = async (): Promise<[name: string, text: string][]> => {
    const response = await fetch(`${service.base_url}${path}/${asked.json.id}/archive`, {
      headers: { authorization: `Bearer ${mine.api_key}`, 'x-instance-slug': mine.instance.slug },
    });
    const files = await openZip(Buffer.from(await response.arrayBuffer()));
    return [...files].filter(([name]) => name.endsWith('.json'));
  };
  // Their rows do not name the instance.
  const nameless = (files: [string, string][]): unknown =>
    files.filter(([name]) => name === 'consents.json' || name === 'invitations.json');
  const alone = await archive();
  await writeAna(theirs);
  await indexSubjectsJob.run(job());
  const files = await archive();
  assert.deepEqual(nameless(files), nameless(alone));
  for (const [name, text] of files) assert.ok(!text.includes(theirs.instance.slug), name);
  const naming = files.filter(([, text]) => text.includes(mine.instance.slug)).map(([name]) => name);
  assert.ok(naming.length > 5, naming.join());

  const beforeIt = await rowsOf(theirs);
  await erase(mine, await ask(mine, 'ana@sandbox.test'));
  assert.deepEqual(await rowsOf(theirs), beforeIt);
  const namingHer = (rows: Map<string, string[]>): string[] =>
    [...rows]
      .filter(([, list]) => list.some((row) => row.includes('ana@sandbox.test')))
      .map(([name]) => name);
  assert.ok(namingHer(beforeIt).length > 5);
  assert.deepEqual(namingHer(await rowsOf(mine)), ['consent_rules']);
});

test('the placeholder address of erased people is not a person: its erasure ends', async () => {
  const tenant = await service.tenant();
  await service.db.query(
    `insert into unsubscribes (mail_id, msg_id, instance_id, sender_id, sender, recipient, method, unsubscribed_at)
     values (gen_random_uuid(), gen_random_uuid(), $1, 1, 'news@example.com', $2, 'page', now())`,
    [tenant.instance.id, erasedAddress],
  );
  await erase(tenant, await ask(tenant, erasedAddress.toUpperCase()));
});

test('a request for the placeholder address gives nothing of erased persons', async () => {
  const tenant = await service.tenant();
  const mail_id = await acceptedMail(service, tenant, 'ana@sandbox.test');
  await service.db.query('update mails set recipient = $2 where mail_id = $1', [mail_id, erasedAddress]);
  await indexSubjectsJob.run(job());
  const contacts = [{ contact: erasedAddress, contact_type: 'email_address' }];
  const asked = await tenant.api.post(path, { kind: 'access', contacts });
  const response = await fetch(`${service.base_url}${path}/${asked.json.id}/archive`, {
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug },
  });
  const files = await openZip(Buffer.from(await response.arrayBuffer()));
  assert.deepEqual(JSON.parse(files.get('mails.json') ?? 'null'), []);
});

test('erasures that fail keep no other one waiting, however many they are', async () => {
  const [failing, tenant] = [await service.tenant(), await service.tenant()];
  await writeLine(failing, { kind: 'contact', id: 'ana@example.com' }, {});
  await service.db.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'as told'; end $$`,
  );
  await service.db.query(
    `create trigger fail before update on audit_events for each row when (old.object_id = 'ana@example.com')
     execute function fail()`,
  );
  const start = async (of: Tenant, id: number): Promise<void> => {
    assert.equal((await of.api.post(`${path}/${id}/fulfil`, {})).status, 200);
  };
  await start(failing, await ask(failing, 'ana@example.com'));
  await service.db.query(
    `insert into rights_requests (instance_id, kind, status, origin, contacts, contact_hashes, received_at, due_at, started_at)
     select instance_id, kind, status, origin, contacts, contact_hashes, received_at, due_at, started_at
     from rights_requests, generate_series(1, 100) where instance_id = $1`,
    [failing.instance.id],
  );
  const last = await ask(tenant, 'eva@example.com');
  await start(tenant, last);
  await assert.rejects(runErasures(job()), /as told/);
  assert.equal((await tenant.api.get(`${path}/${last}`)).json.status, 'fulfilled');
});
