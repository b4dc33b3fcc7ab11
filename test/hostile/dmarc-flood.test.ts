import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { aggregateXml, gzipped, reportMail } from '../../src/protocol/dmarc/dmarc-mail.fixture.ts';
import { domain, startInboundBed, type InboundBed } from '../../src/inbound/inbound-bed.fixture.ts';
import { publishKey, signAs } from '../../src/inbound/reports/signed-report.fixture.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';

const begin = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
let dns: DnsServer;
let bed: InboundBed;
before(async () => {
  dns = await startDnsServer({});
  for (const name of ['google.com', 'forger.example']) publishKey(dns, name);
  bed = await startInboundBed({ CHASQUI_DNS_SERVERS: dns.address });
});
after(async () => {
  await bed.stop();
  await dns.stop();
});

function report(id: string, from: string): Buffer {
  const mail = reportMail(gzipped(aggregateXml({ domain, begin, report_id: id }))).toString('latin1');
  return Buffer.from(mail.replace(/^From: .*\r\n/, `From: ${from}\r\n`));
}

/** Each over one of a few connections; the code of each answer. */
async function handAll(mails: Buffer[]): Promise<number[]> {
  const port = bed.port;
  const options = { host: '127.0.0.1', port, pool: true, maxConnections: 4, maxMessages: 1_000_000 } as const;
  const transport = createTransport({ ...options, tls: { rejectUnauthorized: false } });
  const envelope = { from: 'a@forger.example', to: 'dmarc@chasqui.test' };
  const hand = async (raw: Buffer): Promise<number> =>
    await transport.sendMail({ envelope, raw }).then(
      () => 250,
      ({ responseCode }: { responseCode: number }) => responseCode,
    );
  try {
    return await Promise.all(mails.map(hand));
  } finally {
    transport.close();
  }
}
const count = (codes: number[], code: number): number => codes.filter((each) => each === code).length;

test('450 forged reports, in the name of another or of their own, push no genuine one out', async () => {
  const foreign = Array.from({ length: 300 }, (_, index) => report(`f${index}`, 'noreply@google.com'));
  const own = await Promise.all(
    Array.from(
      { length: 150 },
      async (_, index) => await signAs('forger.example', report(`o${index}`, 'a@forger.example')),
    ),
  );
  const earlier = await signAs('google.com', report('before', 'noreply@google.com'));
  const later = await signAs('google.com', report('after', 'noreply@google.com'));
  assert.deepEqual(await handAll([earlier]), [250]);
  const refused = await handAll(foreign);
  assert.equal(count(refused, 250), 0);
  const quota = await handAll(own);
  assert.ok(count(quota, 250) <= 100, `${count(quota, 250)} taken`);
  assert.ok(count(quota, 250) > 0);
  assert.deepEqual(await handAll([later]), [250]);
  const rows = await bed.service.db.query<{ reporter: string; reports: number }>(
    'select reporter, count(*)::int as reports from dmarc_reports group by reporter order by reporter',
  );
  assert.deepEqual(rows, [
    { reporter: 'forger.example', reports: count(quota, 250) },
    { reporter: 'google.com', reports: 2 },
  ]);
});
