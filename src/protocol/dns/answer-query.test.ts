import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, RECURSION_DESIRED } from 'dns-packet';
import { ask, longText, numericQuery, query, raw } from './query-packets.fixture.ts';
import type { Response } from './query-packets.fixture.ts';

test('an existing record is answered with authority and without recursion', async () => {
  const response = await ask('mx.chasqui.test', 'A', { flags: RECURSION_DESIRED });
  assert.equal(response.id, 4711);
  assert.equal(response.rcode, 'NOERROR');
  assert.equal(response.flag_qr, true);
  assert.equal(response.flag_aa, true);
  assert.equal(response.flag_rd, true);
  assert.equal(response.flag_ra, false);
  assert.equal(response.flag_tc, false);
  assert.deepEqual(
    response.answers?.map((record) => 'data' in record && [record.name, record.ttl, record.data]),
    [
      ['mx.chasqui.test', 60, '192.0.2.2'],
      ['mx.chasqui.test', 60, '192.0.2.3'],
    ],
  );
  assert.deepEqual(response.authorities, []);
});

test('the apex has its SOA and NS beside its own records', async () => {
  const soa = await ask('chasqui.test', 'SOA');
  assert.equal(soa.answers?.[0]?.type, 'SOA');
  const ns = await ask('chasqui.test', 'NS');
  assert.deepEqual(
    ns.answers?.map((record) => 'data' in record && record.data),
    ['ns1.chasqui.test', 'ns2.chasqui.test'],
  );
  assert.equal((await ask('chasqui.test', 'A')).answers?.length, 1);
});

test('a name that does not exist is NXDOMAIN with the SOA and the negative TTL', async () => {
  const response = await ask('nothing.chasqui.test', 'A');
  assert.equal(response.rcode, 'NXDOMAIN');
  assert.equal(response.flag_aa, true);
  const soa = response.authorities?.[0];
  assert.ok(soa?.type === 'SOA');
  assert.equal(soa.name, 'chasqui.test');
  assert.equal(soa.ttl, 300);
});

test('a name without the type, and an empty non-terminal, are NODATA', async () => {
  for (const name of ['long.chasqui.test', 'dkim.chasqui.test', 'token.dkim.chasqui.test']) {
    const response = await ask(name, 'A');
    assert.equal(response.rcode, 'NOERROR');
    assert.equal(response.flag_aa, true);
    assert.deepEqual(response.answers, []);
    assert.equal(response.authorities?.[0]?.type, 'SOA');
  }
});

test('a wildcard name is not answered', async () => {
  assert.equal((await ask('any.mx.chasqui.test', 'A')).rcode, 'NXDOMAIN');
});

test('names match in any letter case and the letter case of the query comes back', async () => {
  const response = await ask('mX.ChAsQuI.tEsT', 'A');
  assert.equal(response.questions?.[0]?.name, 'mX.ChAsQuI.tEsT');
  assert.equal(response.answers?.[0]?.name, 'mX.ChAsQuI.tEsT');
});

test('a dot inside a label does not make it a name of the zone', async () => {
  const packet = query('xxchasqui.test', 'A');
  packet.writeUInt8('.'.charCodeAt(0), 14);
  assert.equal((decode(await raw(packet)) as Response).rcode, 'REFUSED');
});

test('other zones, other classes and the root are refused without authority', async () => {
  for (const packet of [
    query('example.org', 'A'),
    query('notchasqui.test', 'A'),
    query('test', 'NS'),
    query('.', 'NS'),
    numericQuery('mx.chasqui.test', 1, 3),
    numericQuery('mx.chasqui.test', 1, 255),
  ]) {
    const response = decode(await raw(packet)) as Response;
    assert.equal(response.rcode, 'REFUSED');
    assert.equal(response.flag_aa, false);
  }
});

test('zone transfers are refused, other operations not implemented', async () => {
  for (const transport of ['udp', 'tcp'] as const) {
    assert.equal((await ask('chasqui.test', 'AXFR', { transport })).rcode, 'REFUSED');
    assert.equal((await ask('chasqui.test', 'IXFR', { transport })).rcode, 'REFUSED');
  }
  const metaRcodes = await Promise.all(
    [41, 249, 250, 253, 254].map(
      async (type) => (decode(await raw(numericQuery('chasqui.test', type))) as Response).rcode,
    ),
  );
  assert.deepEqual(metaRcodes, ['FORMERR', 'FORMERR', 'FORMERR', 'NOTIMP', 'NOTIMP']);
});

test('NOTIFY, UPDATE and every other opcode get NOTIMP with the opcode and id echoed', async () => {
  for (const opcode of [1, 2, 3, 4, 5, 6, 15]) {
    const packet = query('chasqui.test', 'SOA');
    packet.writeUInt8(opcode << 3, 2);
    const reply = await raw(packet);
    assert.equal((decode(reply) as Response).rcode, 'NOTIMP');
    assert.equal((reply.readUInt8(2) >> 3) & 0xf, opcode);
    assert.equal(reply.readUInt16BE(0), 4711);
  }
});

test('unknown types of an existing name are NODATA', async () => {
  const response = decode(await raw(numericQuery('mx.chasqui.test', 65_280))) as Response;
  assert.equal(response.rcode, 'NOERROR');
  assert.equal(response.authorities?.[0]?.type, 'SOA');
});

test('ANY gets one HINFO, and what does not exist stays so', async () => {
  const any = decode(await raw(numericQuery('mx.chasqui.test', 255))) as Response;
  const [record, ...others] = any.answers ?? [];
  assert.ok(record?.type === 'HINFO');
  assert.deepEqual(record.data, { cpu: 'RFC8482', os: '' });
  assert.deepEqual(others, []);
  const missing = decode(await raw(numericQuery('nothing.chasqui.test', 255))) as Response;
  assert.equal(missing.rcode, 'NXDOMAIN');
  const empty = decode(await raw(numericQuery('dkim.chasqui.test', 255))) as Response;
  assert.deepEqual([empty.rcode, empty.answers?.length], ['NOERROR', 0]);
});

test('follows an alias inside the zone, not outside it, and never for ever', async () => {
  const inside = await ask('alias.chasqui.test', 'A');
  assert.deepEqual(
    inside.answers?.map((record) => [record.name, record.type]),
    [
      ['alias.chasqui.test', 'CNAME'],
      ['mx.chasqui.test', 'A'],
      ['mx.chasqui.test', 'A'],
    ],
  );
  assert.equal((await ask('alias.chasqui.test', 'CNAME')).answers?.length, 1);
  const dangling = await ask('dangling.chasqui.test', 'A');
  assert.deepEqual([dangling.rcode, dangling.answers?.length], ['NXDOMAIN', 1]);
  const away = await ask('away.chasqui.test', 'A');
  assert.deepEqual([away.rcode, away.answers?.length, away.authorities?.length], ['NOERROR', 1, 0]);
  assert.equal((await ask('loop.chasqui.test', 'A')).rcode, 'NOERROR');
});

test('a TXT over 255 bytes is split in strings that join to the whole', async () => {
  const response = await ask('long.chasqui.test', 'TXT', { transport: 'tcp' });
  const record = response.answers?.[0];
  assert.ok(record?.type === 'TXT' && Array.isArray(record.data));
  assert.deepEqual(
    record.data.map((part) => part.length),
    [255, longText.length - 255],
  );
  assert.equal(record.data.join(''), longText);
});
