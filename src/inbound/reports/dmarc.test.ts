import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import { signIn, type PanelUser } from '../../../test/support/panel-user.ts';
import { purgeInboundJob } from '../purge-inbound.ts';
import {
  aggregateXml,
  gzipped,
  record,
  reportMail,
  zipped,
  type ReportOptions,
} from '../../protocol/dmarc/dmarc-mail.fixture.ts';
import { message } from '../../protocol/dsn/message.fixture.ts';
import { publishKey, signAs } from './signed-report.fixture.ts';
import { domain, otherDomain, startInboundBed, type InboundBed } from '../inbound-bed.fixture.ts';

let bed: InboundBed;
let viewer: PanelUser;
let domainId: number;
let dns: DnsServer;
before(async () => {
  dns = await startDnsServer({});
  publishKey(dns, 'google.com');
  bed = await startInboundBed({ CHASQUI_DNS_SERVERS: dns.address });
  viewer = await signIn(bed.service, bed.tenant, 'viewer');
  const [row] = await bed.service.db.query<{ id: number }>('select id from domains where domain = $1', [
    domain,
  ]);
  domainId = row?.id ?? 0;
});
after(async () => {
  await bed.stop();
  await dns.stop();
});

const taken = '250 2.0.0 Accepted';
const yesterday = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
const xml = (options: ReportOptions): string => aggregateXml({ domain, begin: yesterday, ...options });
const hand = async (packed: Buffer): Promise<string> =>
  await bed.hand('dmarc@chasqui.test', await signAs('google.com', reportMail(packed)), 'noreply@google.com');
const summary = async (query = '', user = viewer) =>
  await user.get(`/v1/private/domains/${domainId}/dmarc-summary${query}`);
const stored = async (): Promise<number> =>
  (await bed.service.db.query('select 1 from dmarc_reports')).length;

const from = { from: domain };
const bad = { ...from, dkim: 'fail', spf: 'fail' };

test('reports are summed up per source for the people of their domain', async () => {
  const records = [
    record('192.0.2.25', 40, from),
    record('192.0.2.25', 2, { ...from, spf: 'fail' }),
    record('2001:db8::9', 5, { ...bad, disposition: 'quarantine' }),
  ].join('');
  assert.equal(await hand(zipped({ 'report.xml': xml({ records }) })), taken);
  const yahoo = xml({
    org_name: 'Yahoo',
    report_id: '2',
    records: record('2001:db8::9', 1, { ...bad, disposition: 'reject' }),
  });
  assert.equal(await hand(gzipped(yahoo)), taken);

  const { status, json } = await summary();
  assert.equal(status, 200);
  assert.deepEqual([json.domain, json.reports], [domain, 2]);
  const counts = (messages: number, passed: number, rest: number[]) => {
    const [dkim_aligned, spf_aligned, delivered, quarantined, rejected] = rest;
    return { messages, passed, dkim_aligned, spf_aligned, delivered, quarantined, rejected };
  };
  assert.deepEqual(json.totals, counts(48, 42, [42, 40, 42, 5, 1]));
  assert.deepEqual(json.sources, [
    { source_ip: '192.0.2.25', ...counts(42, 42, [42, 40, 42, 0, 0]), reporters: 1 },
    { source_ip: '2001:db8::9', ...counts(6, 0, [0, 0, 0, 5, 1]), reporters: 2 },
  ]);
  assert.deepEqual(json.reporters, [
    { org_name: 'google.com', reports: 1, messages: 47 },
    { org_name: 'Yahoo', reports: 1, messages: 1 },
  ]);
});

test('a report that comes again counts once', async () => {
  const earlier = (await summary()).json.totals.messages;
  const again = zipped({ 'again.xml': xml({ records: record('192.0.2.25', 40, from) }) });
  await Promise.all([hand(again), hand(again), hand(again)]);
  assert.equal((await summary()).json.totals.messages, earlier);
});

test('a period is one of local dates, and without reports all is zero', async () => {
  const { json } = await summary('?start_date=2026-01-01&end_date=2026-01-31&tz=America/Santiago');
  assert.deepEqual([json.from, json.until], ['2026-01-01T03:00:00.000Z', '2026-02-01T03:00:00.000Z']);
  assert.deepEqual([json.reports, json.totals.messages, json.sources, json.reporters], [0, 0, [], []]);
  assert.equal((await summary('?start_date=2026-02-01&end_date=2026-01-31')).json.code, 'bad_request');
  const stranger = await signIn(bed.service, bed.other, 'viewer');
  assert.equal((await summary('', stranger)).json.code, 'domain_not_found');
});

test('each instance that holds the domain has its own copy, once DNS has shown that it is its own', async () => {
  const { db } = bed.service;
  const earlier = await stored();
  await db.query(
    `insert into domains (instance_id, domain, ownership_token) values ($1, $2, 'cdefghijklmnopqrstuvwxyz')`,
    [bed.other.instance.id, domain],
  );
  await hand(zipped({ 'a.xml': xml({ report_id: 'claimed' }) }));
  assert.equal(await stored(), earlier + 1);
  await db.query(
    'update domains set ownership_verified_at = now() where domain = $1 and ownership_verified_at is null',
    [domain],
  );
  await hand(zipped({ 'b.xml': xml({ report_id: 'held' }) }));
  // Ours was proven by its DKIM records all along.
  assert.equal(await stored(), earlier + 3);
});

test('a policy of a domain above speaks for the name below it that is held here', async () => {
  const records =
    record('192.0.2.1', 3, { from: otherDomain }) + record('192.0.2.1', 9, { from: 'elsewhere.test' });
  await hand(zipped({ 'c.xml': xml({ report_id: 'above', domain: 'example.test', records }) }));
  const rows = await bed.service.db.query<{ messages: number }>(
    `select r.messages from dmarc_rows r join dmarc_reports d on d.id = r.dmarc_report_id where d.report_id = 'above'`,
  );
  assert.deepEqual(rows, [{ messages: 3 }]);
});

test('accepts and discards what is not a report, or is about an unknown domain or another time', async () => {
  const earlier = await stored();
  assert.equal(
    await bed.hand(
      'dmarc@chasqui.test',
      await signAs('google.com', Buffer.from('From: a@google.com\r\nSubject: hello\r\n\r\nhi\r\n')),
      'a@google.com',
    ),
    taken,
  );
  for (const options of [
    { domain: 'nobody.example' },
    { begin: yesterday - 500 * 86_400 },
    { begin: yesterday + 30 * 86_400 },
  ]) {
    assert.equal(
      await hand(
        zipped({
          'd.xml': xml({
            report_id: 'x',
            records: record('192.0.2.1', 1, { from: 'nobody.example' }),
            ...options,
          }),
        }),
      ),
      taken,
    );
  }
  assert.equal(await hand(Buffer.from('504b0304ffff', 'hex')), taken);
  assert.equal(await hand(gzipped(`<a>${' '.repeat(30_000_000)}</a>`)), taken);
  assert.equal(await stored(), earlier);
  for (const to of [`dmarc@${domain}`, 'dmarc@elsewhere.example', 'dmarc2@chasqui.test']) {
    assert.match(await bed.hand(to, reportMail(gzipped(xml({})))), /^550 5\.1\.1 /, to);
  }
});

test('reports are forgotten after thirteen months, letters after three', async () => {
  const { db } = bed.service;
  const purge = async (): Promise<string> =>
    await purgeInboundJob.run({ db, now: new Date(), isStopping: () => false });
  const letter = message('From: ana@example.org\nSubject: hello', 'hi');
  await bed.hand('postmaster@chasqui.test', letter, 'ana@example.org');
  await db.query(`update dmarc_reports set received_at = now() - interval '12 months'`);
  await db.query(`update inbound_messages set received_at = now() - interval '2 months'`);
  assert.equal(await purge(), '0 DMARC reports, 0 inbound messages');
  await db.query(
    `update dmarc_reports set received_at = now() - interval '14 months' where report_id = 'held'`,
  );
  await db.query(`update inbound_messages set received_at = now() - interval '4 months'`);
  assert.equal(await purge(), '2 DMARC reports, 1 inbound messages');
  assert.ok((await stored()) > 0);
});
