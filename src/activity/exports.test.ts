import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { csvLine } from '../protocol/csv/write-csv.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant({ instance: { timezone: 'America/Santiago' } });
  await service.db.query('update instances set requests_per_second = 0');
});
after(async () => await service.stop());

interface NewMail {
  recipient?: string;
  subject?: string;
  custom_msg_id?: string | null;
  received_at?: string;
}

async function addMail(more: NewMail = {}, owner = tenant): Promise<void> {
  const mail = { recipient: 'ana@example.com', subject: 'Order', custom_msg_id: null, ...more };
  await service.db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, custom_msg_id, received_at)
     select (left(uuid_at(at)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, gen_random_uuid(), $1, 2,
       $2, 'to', 1, 'hello@example.com', $3, false, $4, at
     from (select coalesce($5::timestamptz, date_trunc('milliseconds', now())) as at) as moment`,
    [owner.instance.id, mail.recipient, mail.subject, mail.custom_msg_id, mail.received_at ?? null],
  );
}

async function addMany(owner: Tenant, count: number): Promise<void> {
  await service.db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, received_at)
     select (left(uuid_at(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, gen_random_uuid(), $1, 2,
       n || '@example.com', 'to', 1, 'hello@example.com', repeat('x', 200), false, now()
     from generate_series(1, $2::integer) as n`,
    [owner.instance.id, count],
  );
}

const exported = async (query: string, owner = tenant) =>
  await owner.api.get(`/v1/activities/sent/export?${query}`);

/** RFC 4180, as strictly as it is written. */
function parseCsv(text: string): string[][] {
  const rows = text.match(/(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*\r\n/g) ?? [];
  assert.equal(rows.join(''), text, 'nothing of the file is outside its rows');
  return rows.map((row) =>
    [...row.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
    ),
  );
}

const subjectsOf = async (owner: Tenant): Promise<string[]> => {
  const { text } = await exported('', owner);
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) => row[header.indexOf('subject')] ?? '');
};

test('a CSV has a byte order mark, a header row, CRLF, and a name to be saved under', async () => {
  await addMail({ recipient: 'Ana@example.com', subject: 'Say "hi", please\r\nñandú', custom_msg_id: '' });
  const { status, headers, text } = await exported('');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="sent-\d{4}-\d\d-\d\d\.csv"$/,
  );
  // Fetch takes the mark away when it decodes.
  const response = await fetch(`${service.base_url}/v1/activities/sent/export`, {
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  assert.equal(bytes.subarray(3).toString(), text);
  const [header, row] = parseCsv(bytes.subarray(3).toString());
  assert.deepEqual(header?.slice(0, 4), ['mail_id', 'msg_id', 'to', 'subject']);
  assert.deepEqual(row?.slice(2, 8), [
    'Ana@example.com',
    'Say "hi", please\r\nñandú',
    'hello@example.com',
    '2',
    '0',
    '0',
  ]);
});

test('the name of the status is the last column, and rows are chosen by it', async () => {
  const file = async (query: string): Promise<string[][]> => parseCsv((await exported(query)).text);
  const [header, row] = await file('status=queued');
  assert.deepEqual([header?.at(-1), row?.at(-1)], ['status_name', 'queued']);
  assert.deepEqual(await file('status=2'), await file('status=queued'));
  assert.equal((await file('status=bounced')).length, 1);
});

test('the JSON has the items of the list, under data', async () => {
  const file = await exported('format=json');
  assert.equal(file.headers.get('content-type'), 'application/json; charset=utf-8');
  const list = await tenant.api.get('/v1/activities/sent');
  const comparable = (items: Record<string, unknown>[]) =>
    items.map((item) => ({ ...item, received_at: new Date(String(item['received_at'])).getTime() }));
  assert.deepEqual(comparable(file.json.data), comparable(list.json.data));
});

test('an export without rows has a header row, or is an empty array', async () => {
  const nobody = await service.tenant();
  const { text } = await exported('', nobody);
  assert.equal(parseCsv(text).length, 1);
  assert.deepEqual((await exported('format=json', nobody)).json, { data: [] });
});

test('formulas are neutralised; numbers and telephone numbers are untouched', async () => {
  const owner = await service.tenant();
  const given = [
    '=1+1',
    '+cmd|calc',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '=HYPERLINK("http://x")',
    '＝1+1',
    '＋cmd|calc',
    '－2+3',
    '＠SUM(A1)',
    '1＝1',
    '＃1',
    '😀',
    '+56912345678',
    '+56 9 1234 5678',
    '+1 (555) 010-0199',
    '-5',
    '-5.25',
    '1=1',
    "'quoted",
    'Ñ',
    '@',
    '-',
  ];
  for (const subject of given) await addMail({ subject }, owner);
  const expected = given.map((text) =>
    /^([=@\t＝＋－＠]|\+c|-2|-$)/.test(text) ? `'${text.replace('\t=', "\t'=")}` : text,
  );
  assert.deepEqual((await subjectsOf(owner)).toSorted(), expected.toSorted());
});

/** As a spreadsheet reads it whose separator is not a comma: only a quote at the start of a cell holds it together. */
function cellsBy(separator: string, text: string): string[] {
  const cells = new RegExp(
    `(?:"((?:[^"]|"")*)"[^${separator}\\r\\n]*|([^${separator}\\r\\n]*))(?:${separator}|\\r\\n?|\\n|$)`,
    'g',
  );
  return [...text.matchAll(cells)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test('formulas are neutralised for cells separated by semicolon or tab too', async () => {
  const own = await service.tenant();
  const given = [
    'a;=1+1',
    'a; =1+1',
    'a;;@SUM(1)',
    'a\t-1+1',
    "a;+cmd|' /C calc'!A0",
    'a;"=1+1',
    'a;""=1+1;b',
    'a\n=1+1',
    'a;＝1+1',
    ';=1;=2',
    'a; b;c - d',
  ];
  for (const subject of given) await addMail({ subject }, own);
  const { text } = await exported('', own);
  for (const separator of [';', '\t', ',']) {
    const run = cellsBy(separator, text).filter((each) => /^ *[=+\-@＝]/.test(each));
    assert.deepEqual(run, [], JSON.stringify(separator));
  }
  assert.ok(parseCsv(text).some((row) => row.includes('a; b;c - d')));
  const archived = given.map((each) => csvLine([1, each])).join('');
  for (const separator of [';', '\t', ',']) {
    const run = cellsBy(separator, archived).filter((each) => /^ *[=+\-@＝]/.test(each));
    assert.deepEqual(run, [], `archive ${JSON.stringify(separator)}`);
  }
});

test('dates are UTC, or in the zone asked for with its offset on that day', async () => {
  const owner = await service.tenant({ instance: { timezone: 'Europe/Madrid' } });
  const [today] = await service.db.query<{ at: Date }>(
    "select date_trunc('day', now()) + interval '1.5 seconds' as at",
  );
  await addMail({ received_at: today?.at.toISOString() ?? '' }, owner);
  const dateIn = async (query: string): Promise<string> => {
    const { json } = await exported(`format=json&${query}`, owner);
    return json.data[0].received_at;
  };
  const at = await dateIn('');
  assert.match(at, /T00:00:01\.5Z$/);
  assert.match(await dateIn('tz=Asia/Kolkata'), /T05:30:01\.5\+05:30$/);
  assert.equal(new Date(await dateIn('tz=Asia/Kolkata')).getTime(), new Date(at).getTime());
  assert.equal(await dateIn('tz=Nowhere/Land'), at);
  const [, row = []] = parseCsv((await exported('tz=Asia/Kolkata', owner)).text);
  assert.match(row[8] ?? '', /T05:30:01\.5\+05:30$/);
});

test('filters are those of the list; a malformed date is a 400, an unknown format a 422', async () => {
  const owner = await service.tenant();
  await addMail({ recipient: 'one@example.com' }, owner);
  await addMail({ recipient: 'two@example.com' }, owner);
  const found = async (query: string) =>
    (await exported(`format=json&${query}`, owner)).json.data.map(({ to }: { to: string }) => to);
  assert.deepEqual(await found('recipient=ONE%40example.com'), ['one@example.com']);
  assert.deepEqual(await found('recipient=tw&recipient_operator=starts_with'), ['two@example.com']);
  assert.equal((await exported('start_date=yesterday', owner)).status, 400);
  assert.equal((await exported('format=xlsx', owner)).status, 422);
});

test('every export is noted with who asked and for what; a HEAD exports nothing', async () => {
  const owner = await service.tenant();
  await exported('format=json&recipient=one%40example.com&tz=UTC', owner);
  const { status, headers } = await owner.api.request('HEAD', '/v1/activities/sent/export');
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8; header=present']);
  const noted = await service.db.query(
    "select actor_kind, actor_id, action, details from audit_events where instance_id = $1 and action like '%.exported'",
    [owner.instance.id],
  );
  assert.deepEqual(noted, [
    {
      actor_kind: 'api_key',
      actor_id: owner.api_key.split('.')[1],
      action: 'sent.exported',
      details: { format: 'json', filters: { recipient: 'one@example.com', tz: 'UTC' } },
    },
  ]);
});

/** Asks for an export and reads no more of it than comes by itself. */
function startExport(owner: Tenant) {
  const { hostname, port } = new URL(service.base_url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET /v1/activities/sent/export HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${owner.api_key}\r\n` +
      `X-Instance-Slug: ${owner.instance.slug}\r\nConnection: close\r\n\r\n`,
  );
  return socket;
}

const cursors = async (): Promise<{ pid: number }[]> =>
  await service.db.query(
    "select pid from pg_stat_activity where application_name = 'chasqui export' and state <> 'idle' and datname = current_database()",
  );

test('a slow reader is waited for, holds a place of its instance, and frees the cursor when it leaves', async () => {
  const owner = await service.tenant();
  await addMany(owner, 60_000);
  const sockets = [startExport(owner), startExport(owner)];
  for (const socket of sockets) await new Promise((resolve) => socket.once('readable', resolve));
  assert.equal((await cursors()).length, 2);
  const third = await exported('', owner);
  assert.deepEqual([third.status, third.json.code], [429, 'rate_limit_exceeded']);
  assert.ok(Number(third.headers.get('retry-after')) > 0);
  assert.equal((await exported('')).status, 200, 'another instance has places of its own');
  for (const socket of sockets) socket.destroy();
  await waitFor(async () => (await cursors()).length === 0, { what: 'the cursors to be closed' });
  assert.equal((await exported('recipient=7%40example.com', owner)).status, 200);
});

test('a file that the database cannot finish ends with a broken connection, never as if it were whole', async () => {
  const owner = await service.tenant();
  await addMany(owner, 60_000);
  const socket = startExport(owner);
  await new Promise((resolve) => socket.once('readable', resolve));
  await service.db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'chasqui export' and state <> 'idle' and datname = current_database()",
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  const text = Buffer.concat(chunks).toString();
  assert.match(text, /^HTTP\/1\.1 200/);
  assert.ok(!text.endsWith('\r\n0\r\n\r\n'), 'the last chunk was not sent');
});

test('the rows are those of the moment the export began', async () => {
  const owner = await service.tenant();
  await addMany(owner, 20_000);
  const socket = startExport(owner);
  await new Promise((resolve) => socket.once('readable', resolve));
  await service.db.query("update mails set subject = 'changed' where instance_id = $1", [owner.instance.id]);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  const text = Buffer.concat(chunks).toString();
  assert.ok(text.endsWith('0\r\n\r\n'));
  assert.equal(text.includes('changed'), false);
  assert.equal(text.match(/@example\.com",/g)?.length, 40_000);
});

test('an export that cannot be audited sends nothing, and leaves no connection and no place behind', async () => {
  const owner = await service.tenant();
  await addMany(owner, 20_000);
  await service.db.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`,
  );
  await service.db.query(
    'create trigger refused before insert on audit_events for each row execute function refuse()',
  );
  for (let turn = 1; turn <= 3; turn += 1) assert.equal((await exported('', owner)).status, 500);
  await service.db.query('drop trigger refused on audit_events');
  await waitFor(async () => (await cursors()).length === 0, { what: 'the cursors to be closed' });
  assert.equal((await exported('recipient=7%40example.com', owner)).status, 200);
});
