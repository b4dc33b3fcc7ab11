import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordSetsAt } from '../../protocol/dns/zone.ts';
import type { RecordSet, Zone } from '../../protocol/dns/zone.ts';
import type { PlatformZoneData } from './platform-records.ts';
import { createPlatformZone } from './platform-zone.ts';
import { zoneFile } from './zone-file.ts';
import type { PublishedDkimKey } from './zone-file.ts';

const zoneData: PlatformZoneData = {
  platform_domain: 'chasqui.test',
  mx_addresses: ['192.0.2.10', '192.0.2.11', '2001:db8::10'],
  verify_addresses: ['192.0.2.20'],
  spf_terms: String.raw`ip4:192.0.2.0/24 exists:"odd\thing".é -all`,
  name_servers: ['192.0.2.53', 'ns.example.net'],
  hostmaster: 'host.master@chasqui.test',
  ttl: 1800,
  serial: 2_026_010_100,
};
const keys: PublishedDkimKey[] = [
  { selector: 's1', token: null, public_key: 'C'.repeat(392) },
  { selector: 's1', token: 'tok3n', public_key: 'A'.repeat(392) },
  { selector: 's2', token: 'tok3n', public_key: 'B'.repeat(392) },
];

interface Line {
  owner: string;
  ttl: number;
  type: string;
  data: string[];
}

/** One record a line: owner, TTL, class, type and data, where quoted strings count as one word. */
function parseLine(line: string): Line {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s"]+/g)].map((match) =>
    match[1] === undefined ? match[0] : unescaped(match[1]),
  );
  const [owner = '', ttl, rrclass, type = '', ...data] = words;
  assert.equal(rrclass, 'IN');
  return { owner: withoutDot(owner), ttl: Number(ttl), type, data };
}

function unescaped(text: string): string {
  const bytes = text.replace(/\\(\d{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number(code)) : code,
  );
  return Buffer.from(bytes, 'latin1').toString();
}

function withoutDot(name: string): string {
  assert.ok(name.endsWith('.'), `${name} must be absolute`);
  return name.slice(0, -1);
}

/** The data of a line as the zone holds it. */
function recordOf({ type, data }: Line): unknown {
  const [first = '', second = '', ...numbers] = data;
  if (type === 'TXT') return data.join('');
  if (type === 'MX') return { preference: Number(first), exchange: withoutDot(second) };
  if (type === 'NS') return withoutDot(first);
  if (type !== 'SOA') return first;
  const [serial, refresh, retry, expire, minimum] = numbers.map(Number);
  return { mname: withoutDot(first), rname: withoutDot(second), serial, refresh, retry, expire, minimum };
}

function createZone(): Zone {
  return createPlatformZone({
    ...zoneData,
    findDkimPublicKey: async (selector, token) =>
      await Promise.resolve(keys.find((key) => key.selector === selector && key.token === token)?.public_key),
  });
}

function parse(file: string): Line[] {
  const [origin, ttl, ...lines] = file.trimEnd().split('\n');
  assert.deepEqual([origin, ttl], ['$ORIGIN chasqui.test.', '$TTL 1800']);
  return lines.map(parseLine);
}

test('the file says of every name exactly what the server says', async () => {
  const zone = createZone();
  const lines = parse(zoneFile(zoneData, keys));
  for (const [owner, itsLines] of Map.groupBy(lines, (line) => line.owner)) {
    const sets: RecordSet[] = [];
    for (const [type, records] of Map.groupBy(itsLines, (line) => line.type))
      sets.push({ type, ttl: records[0]?.ttl, records: records.map(recordOf) } as RecordSet);
    const asked = owner.replace(/^\*/, 'customer.example');
    const served = (await recordSetsAt(zone, asked)) ?? [];
    assert.deepEqual(
      sets.toSorted((a, b) => a.type.localeCompare(b.type)),
      served.toSorted((a, b) => a.type.localeCompare(b.type)),
      owner,
    );
  }
});

test('the file has every name of the zone', () => {
  const owners = new Set(parse(zoneFile(zoneData, keys)).map((line) => line.owner));
  const expected = [
    '',
    'mx.',
    'verify.',
    'spf.',
    '_dmarc.',
    '*._report._dmarc.',
    'ns1.',
    's1._domainkey.',
    '_dck1.',
    's1.tok3n.dkim.',
    's2.tok3n.dkim.',
  ];
  assert.deepEqual([...owners].sort(), expected.map((name) => `${name}chasqui.test`).sort());
});

test('the SOA comes first, once, and a TXT is quoted in strings of at most 255 bytes', () => {
  const lines = parse(zoneFile(zoneData, keys));
  assert.equal(lines[0]?.type, 'SOA');
  assert.equal(lines.filter((line) => line.type === 'SOA').length, 1);
  const key = lines.find((line) => line.owner === 's1.tok3n.dkim.chasqui.test');
  assert.deepEqual(
    key?.data.map((part) => part.length),
    [255, 155],
  );
  assert.match(
    zoneFile(zoneData, keys),
    /"v=spf1 ip4:192\.0\.2\.0\/24 exists:\\"odd\\\\thing\\"\.\\195\\169 -all"/,
  );
});
