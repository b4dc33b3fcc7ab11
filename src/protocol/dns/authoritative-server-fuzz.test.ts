import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { encode } from 'dns-packet';
import { answer, answerTruncated } from './answer-query.ts';
import { createAuthoritativeServer } from './authoritative-server.ts';
import { createMemoryZone } from './memory-zone.fixture.ts';
import { opt } from './query-packets.fixture.ts';

const packets = 2000;
const zone = createMemoryZone('chasqui.test', {
  'mx.chasqui.test': [{ type: 'A', ttl: 60, records: ['192.0.2.2'] }],
  'big.chasqui.test': [{ type: 'TXT', ttl: 60, records: ['x'.repeat(2000)] }],
});

/** A small repeatable generator, so that a failure can be looked at again (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function seedPackets(): Buffer[] {
  return [
    encode({ questions: [{ name: 'mx.chasqui.test', type: 'A' }] }),
    encode({ questions: [{ name: 'big.chasqui.test', type: 'TXT' }], additionals: [opt()] }),
    encode({ questions: [{ name: 'chasqui.test', type: 'SOA' }], additionals: [opt()] }),
    encode({
      questions: [{ name: 'a.b.chasqui.test', type: 'MX' }],
      answers: [{ type: 'TXT', name: 'x.test', data: 'hello' }],
    }),
  ];
}

function* fuzzedPackets(seed: number): Generator<Buffer> {
  const random = createRandom(seed);
  const seeds = seedPackets();
  for (let index = 0; index < packets; index += 1) {
    const original = seeds[random(seeds.length)] ?? Buffer.alloc(0);
    const noise = Buffer.from(Array.from({ length: random(300) }, () => random(256)));
    const mutated = Buffer.from(original);
    for (let change = 0; change <= random(6); change += 1) mutated[random(mutated.length)] = random(256);
    const cut = mutated.subarray(0, random(mutated.length + 1));
    yield [noise, mutated, cut, Buffer.concat([mutated, noise])][random(4)] ?? noise;
  }
}

test('mutated and random packets never fail, and every answer is a bounded response to its id', async () => {
  const rcodes = new Set<string>();
  for (const packet of fuzzedPackets(1)) {
    const reply = await answer(zone, packet, 'udp');
    const truncated = answerTruncated(packet);
    if (reply === undefined) {
      assert.ok(packet.length < 12 || (packet[2] ?? 0) >= 0x80);
      continue;
    }
    rcodes.add(reply.rcode);
    assert.equal(reply.error, undefined);
    assert.ok(reply.packet.length <= 1232);
    assert.ok(truncated !== undefined && truncated.packet.length <= packet.length);
    assert.equal(reply.packet.readUInt16BE(0), packet.readUInt16BE(0));
    assert.ok((reply.packet[2] ?? 0) >= 0x80);
  }
  for (const expected of ['NOERROR', 'NXDOMAIN', 'FORMERR', 'NOTIMP', 'REFUSED'])
    assert.ok(rcodes.has(expected), expected);
});

test('a server still answers after a storm of broken packets over UDP and TCP', async (t) => {
  const errors: unknown[] = [];
  const server = createAuthoritativeServer({
    zone,
    rate_limit: { burst: 10 * packets },
    tcp: { max_connections: 8, idle_timeout_ms: 500 },
    onError: (error) => errors.push(error),
  });
  t.after(async () => await server.stop());
  const { port } = await server.start({ host: '127.0.0.1', port: 0 });
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  for (const packet of fuzzedPackets(2))
    await new Promise((resolve) => socket.send(packet, port, '127.0.0.1', resolve));
  let count = 0;
  for (const packet of fuzzedPackets(3)) {
    count += 1;
    if (count > 100) break;
    const connection = connect(port, '127.0.0.1');
    connection.on('error', () => connection.destroy());
    connection.resume();
    connection.end(packet);
    await once(connection, 'close', { signal: AbortSignal.timeout(3000) });
  }
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([`127.0.0.1:${port}`]);
  assert.deepEqual(await resolver.resolve4('mx.chasqui.test'), ['192.0.2.2']);
  assert.equal((await resolver.resolveTxt('big.chasqui.test')).length, 1);
  assert.deepEqual(errors, []);
});
