import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { aggregateXml, gzipped, record, reportMail, zipped } from './dmarc-mail.fixture.ts';
import { findAggregateReport } from './find-report.ts';
import { unpackReport } from './unpack-report.ts';

const xml = aggregateXml();
const name = 'google.com!shop.example.com!1783987200!1784073599.xml';

test('a report is found as zip, gzip or plain, under whatever type', async () => {
  const expected = await findAggregateReport(reportMail(Buffer.from(xml), 'text/xml'));
  assert.equal(expected?.rows.length, 2);
  for (const [packed, type] of [
    [zipped({ [name]: xml }), 'application/zip'],
    [zipped({ [name]: xml }), 'application/octet-stream'],
    [gzipped(xml), 'application/gzip'],
    [gzipped(xml), 'application/zip'],
    [Buffer.from(`\u{feff}${xml}`), 'application/xml'],
    [Buffer.from(xml), 'text/plain'],
    [Buffer.from(`\u{feff}${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le'), 'application/xml'],
  ] as const) {
    assert.deepEqual(await findAggregateReport(reportMail(packed, type)), expected, type);
  }
});

test('an attachment of more than 5 MB is not read', async () => {
  const padded = (octets: number): Buffer => reportMail(Buffer.from(xml.padEnd(octets)), 'text/xml');
  assert.ok(await findAggregateReport(padded(3_000_000)));
  assert.equal(await findAggregateReport(padded(5_000_000)), undefined);
});

test('a report is found beside the words of the mail that brings it', async () => {
  const { message } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail({
    from: 'dmarc@yahoo.com',
    to: 'dmarc@chasqui.test',
    subject: 'Report Domain: shop.example.com',
    text: 'This is a DMARC aggregate report.',
    html: '<p>This is a DMARC aggregate report.</p>',
    attachments: [
      { filename: 'logo.png', content: Buffer.from('89504e47', 'hex') },
      { filename: 'yahoo.com!shop.example.com.xml.gz', content: gzipped(xml) },
    ],
  });
  assert.equal((await findAggregateReport(message as Buffer))?.domain, 'shop.example.com');
});

test('a report behind five other attachments is not looked for', async () => {
  const behind = async (others: number): Promise<Buffer> => {
    const plain = { filename: 'other.bin', content: Buffer.from('other') };
    const attachments = [
      ...Array.from({ length: others }, () => plain),
      { filename: 'a.gz', content: gzipped(xml) },
    ];
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await transport.sendMail({
      from: 'a@b.test',
      to: 'c@d.test',
      text: 'Hello',
      attachments,
    });
    return message as Buffer;
  };
  assert.ok(await findAggregateReport(await behind(4)));
  assert.equal(await findAggregateReport(await behind(5)), undefined);
});

test('a compression bomb is not unpacked', async () => {
  const huge = Buffer.alloc(40_000_000, ' ');
  const start = process.memoryUsage().rss;
  assert.equal(await unpackReport(gzipped(`<a>${huge.toString()}</a>`)), undefined);
  assert.equal(await unpackReport(zipped({ a: huge })), undefined);
  // Claims less than it holds: what comes out is compared with the claim.
  assert.equal(await unpackReport(zipped({ a: huge }, 1_000)), undefined);
  // Within 10 MB, and still no report shrinks so.
  assert.equal(await unpackReport(gzipped(`<a>${' '.repeat(5_000_000)}</a>`)), undefined);
  assert.ok(process.memoryUsage().rss - start < 300_000_000);
});

test('several entries, a locked one, damage: nothing is taken from such a file', async () => {
  assert.equal(await unpackReport(zipped({ a: xml, b: xml })), undefined);
  assert.equal(await unpackReport(zipped({})), undefined);
  const locked = zipped({ a: xml });
  const flags = locked.lastIndexOf(Buffer.from('504b0102', 'hex')) + 8;
  locked[flags] = 1;
  assert.equal(await unpackReport(locked), undefined);
  assert.equal(await unpackReport(zipped({ a: xml }).subarray(0, 300)), undefined);
  assert.equal(await unpackReport(gzipped(xml).subarray(0, 200)), undefined);
  assert.equal(await unpackReport(Buffer.from('hello')), undefined);
  assert.equal(await unpackReport(Buffer.alloc(0)), undefined);
});

test('any input is read without an error', async () => {
  const random = seededRandom(7489);
  const below = (most: number): number => Math.floor(random() * most);
  const seeds = [zipped({ [name]: xml }), gzipped(xml), Buffer.from(xml)];
  for (let round = 0; round < 600; round += 1) {
    const packed = Buffer.from(seeds[below(3)] ?? []);
    for (let hits = 1 + below(10); hits > 0; hits -= 1) packed[below(packed.length)] = below(256);
    await findAggregateReport(reportMail(packed.subarray(0, 1 + below(packed.length))));
  }
});

test('ten megabytes of records do not keep other work waiting', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) =>
    record(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, 1),
  );
  const large = aggregateXml({ records: many.join('') });
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  const start = process.cpuUsage();
  const report = await findAggregateReport(reportMail(gzipped(large)));
  const { user } = process.cpuUsage(start);
  clearInterval(others);
  assert.equal(report?.rows.length, 5_000);
  assert.ok(turns > 10, `others had ${turns} turns`);
  assert.ok(user < 3_000_000, `${large.length} bytes took ${user} µs`);
});
