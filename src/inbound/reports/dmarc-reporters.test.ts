import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import { aggregateXml, gzipped, reportMail } from '../../protocol/dmarc/dmarc-mail.fixture.ts';
import { domain, startInboundBed, type InboundBed } from '../inbound-bed.fixture.ts';
import { publishKey, signAs } from './signed-report.fixture.ts';

const policy = 'v=DMARC1; p=none; rua=mailto:a@example.org';
const taken = '250 2.0.0 Accepted';
const begin = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
let dns: DnsServer;
let bed: InboundBed;
before(async () => {
  dns = await startDnsServer({});
  for (const name of ['google.com', 'mail.google.com', 'forger.example', 'other.example'])
    publishKey(dns, name);
  bed = await startInboundBed({
    CHASQUI_DNS_SERVERS: dns.address,
    CHASQUI_DMARC_REPORTS_PER_REPORTER: '3',
    CHASQUI_DMARC_REPORTS_PER_DOMAIN: '5',
  });
});
after(async () => {
  await bed.stop();
  await dns.stop();
});

let reports = 0;
/** A report as Google sends it, or with another address in From. */
function report({ from = 'noreply@google.com', id = `r${(reports += 1)}` } = {}): Buffer {
  const mail = reportMail(gzipped(aggregateXml({ domain, begin, report_id: id }))).toString('latin1');
  return Buffer.from(mail.replace(/^From: .*\r\n/, `From: ${from}\r\n`));
}
const hand = async (raw: Buffer, from = ''): Promise<string> =>
  await bed.hand('dmarc@chasqui.test', raw, from);
const stored = async (): Promise<number> =>
  (await bed.service.db.query('select 1 from dmarc_reports')).length;
const clear = async (): Promise<unknown> => await bed.service.db.query('delete from dmarc_reports');

test('rejects an unauthenticated report and does not store it', async () => {
  const forged = /^550 5\.7\.1 Neither SPF nor DKIM/;
  assert.match(await hand(report(), 'noreply@google.com'), forged);
  assert.match(await hand(await signAs('forger.example', report())), forged);
  assert.match(await hand(await signAs('nokey.google.com', report())), forged);
  const changed = (await signAs('google.com', report()))
    .toString('latin1')
    .replace('Subject: ', 'Subject: x');
  assert.match(await hand(Buffer.from(changed)), forged);
  assert.match(await hand(await signAs('google.com', report(), { maxBodyLength: 10 })), forged, 'in part');
  assert.match(await hand(await signAs('google.com', report(), { algorithm: 'rsa-sha1' })), forged, 'SHA-1');
  const two = 'a@forger.example, b@google.com';
  for (const by of ['google.com', 'forger.example']) {
    assert.match(await hand(await signAs(by, report({ from: two }))), forged);
  }
  assert.match(await hand(await signAs('google.com', report({ from: 'Reports: a@google.com;' }))), forged);
  const long = Buffer.concat([Buffer.from(`X-Long: ${'x'.repeat(900)}\r\n`.repeat(80)), report()]);
  assert.match(await hand(await signAs('google.com', long)), forged, 'a header beyond all measure');
  const twice = Buffer.concat([Buffer.from('From: a@forger.example\r\n'), report()]);
  assert.match(await hand(await signAs('forger.example', twice)), forged);
  const many = 'DKIM-Signature: v=1\r\n'.repeat(6);
  assert.match(await hand(Buffer.concat([Buffer.from(many), await signAs('google.com', report())])), forged);
  assert.equal(await stored(), 0);
});

test('DKIM of the same organisation vouches for a report, and so does SPF', async () => {
  await clear();
  dns.set('_dmarc.google.com', 'TXT', [policy]);
  dns.set('_dmarc.other.example', 'TXT', [policy]);
  assert.equal(await hand(await signAs('mail.google.com', report())), taken);
  dns.set('bounces.other.example', 'TXT', ['v=spf1 ip4:127.0.0.0/8 -all']);
  dns.set('away.other.example', 'TXT', ['v=spf1 ip4:192.0.2.0/24 -all']);
  const from = 'dmarc@reports.other.example';
  assert.equal(await hand(report({ from }), 'x@bounces.other.example'), taken);
  assert.match(await hand(report({ from }), 'x@away.other.example'), /^550 5\.7\.1 /);
  assert.match(await hand(report(), 'x@bounces.other.example'), /^550 5\.7\.1 /);
  const rows = await bed.service.db.query('select reporter from dmarc_reports order by id');
  assert.deepEqual(rows, [{ reporter: 'google.com' }, { reporter: 'other.example' }]);
});

test('two names are one organisation only by the DMARC records above them', async () => {
  await clear();
  const forged = /^550 5\.7\.1 Neither SPF nor DKIM/;
  const from = 'dmarc@reports.shared.example';
  const sign = async (): Promise<Buffer> => await signAs('mail.shared.example', report({ from }));
  publishKey(dns, 'mail.shared.example');
  assert.match(await hand(await sign()), forged, 'no record above them');
  dns.set('_dmarc.shared.example', 'TXT', [policy]);
  assert.equal(await hand(await sign()), taken, 'one record above both');
  dns.set('_dmarc.shared.example', 'TXT', [`${policy}; psd=y`]);
  assert.match(await hand(await sign()), forged, 'customers below a public suffix');
  dns.set('_dmarc.shared.example', 'TXT', [policy]);
  dns.set('_dmarc.reports.shared.example', 'TXT', [`${policy}; psd=n`]);
  assert.match(await hand(await sign()), forged, 'a subdomain that is an organisation of its own');
  dns.set('_dmarc.reports.shared.example', 'TXT', []);
  dns.fail('_dmarc.shared.example', 'TXT', 'SERVFAIL');
  assert.match(await hand(await sign()), /^451 4\.4\.3 /, 'a lookup that failed');
  dns.recover('_dmarc.shared.example');
  assert.equal(await hand(await sign()), taken);
  const rows = await bed.service.db.query('select distinct reporter from dmarc_reports');
  assert.deepEqual(rows, [{ reporter: 'shared.example' }]);
});

test('a report whose signature cannot be checked for now is to come again', async () => {
  await clear();
  const raw = await signAs('google.com', report());
  dns.fail('reports._domainkey.google.com', 'TXT', 'SERVFAIL');
  assert.match(await hand(raw), /^451 4\.4\.3 /);
  dns.recover('reports._domainkey.google.com');
  assert.equal(await hand(raw), taken);
  const from = 'dmarc@later.example';
  dns.set('later.example', 'TXT', ['v=spf1 include:spf.later.example -all']);
  dns.set('spf.later.example', 'TXT', ['v=spf1 ip4:127.0.0.0/8 -all']);
  for (const name of ['later.example', 'spf.later.example']) {
    dns.fail(name, 'TXT', 'SERVFAIL');
    assert.match(await hand(report({ from }), 'x@later.example'), /^451 4\.4\.3 /, name);
    dns.recover(name);
  }
  assert.equal(await hand(report({ from }), 'x@later.example'), taken);
});

test('a reporter has a quota and a domain has one; what was taken stays', async () => {
  await clear();
  const first = await signAs('google.com', report());
  const forge = async (): Promise<Buffer> =>
    await signAs('forger.example', report({ from: 'a@forger.example' }));
  const forged = await Promise.all(Array.from({ length: 6 }, forge));
  const answers = await Promise.all(forged.map(async (raw) => await hand(raw)));
  assert.equal(answers.filter((answer) => answer === taken).length, 3);
  assert.equal(answers.filter((answer) => answer.startsWith('452 4.2.2 ')).length, 3);
  assert.equal(await hand(first), taken);
  assert.equal(await hand(await signAs('google.com', report())), taken);
  assert.match(await hand(await signAs('google.com', report())), /^452 4\.2\.2 /);
  assert.equal(await hand(first), taken, 'one that is there already');
  assert.equal(await stored(), 5);
  await bed.service.db.query(`update dmarc_reports set received_at = received_at - interval '1 day'`);
  assert.equal(await hand(await signAs('google.com', report())), taken);
});

test('a reporter cannot take the identifier of another reporter’s report', async () => {
  await clear();
  const from = 'a@forger.example';
  assert.equal(await hand(await signAs('forger.example', report({ from, id: 'same' }))), taken);
  assert.equal(await hand(await signAs('google.com', report({ id: 'same' }))), taken);
  assert.equal(await stored(), 2);
});
