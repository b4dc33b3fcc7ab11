import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from 'dns-packet';
import { answer, answerTruncated } from './answer-query.ts';
import { ask, opt, query, zone } from './query-packets.fixture.ts';
import type { Response } from './query-packets.fixture.ts';
import type { Zone } from './zone.ts';

test('an OPT is answered with an OPT of ours, and none with none', async () => {
  const plain = await ask('mx.chasqui.test', 'A');
  assert.deepEqual(plain.additionals, []);
  const response = await ask('mx.chasqui.test', 'A', { additionals: [opt({ flags: 0x8000 })] });
  const [echoed] = response.additionals ?? [];
  assert.ok(echoed?.type === 'OPT');
  assert.deepEqual([echoed.udpPayloadSize, echoed.ednsVersion, echoed.flag_do], [1232, 0, true]);
});

test('an EDNS version above 0 is BADVERS', async () => {
  const response = await ask('mx.chasqui.test', 'A', { additionals: [opt({ ednsVersion: 1 })] });
  const [echoed] = response.additionals ?? [];
  assert.ok(echoed?.type === 'OPT');
  assert.deepEqual([echoed.extendedRcode, echoed.ednsVersion, response.flags], [1, 0, 0]);
  assert.deepEqual(response.answers, []);
});

test('over UDP an answer beyond the payload size is truncated to nothing, over TCP it is whole', async () => {
  const cases: [string, number | undefined, boolean][] = [
    ['long.chasqui.test', undefined, false],
    ['long.chasqui.test', 100, false],
    ['huge.chasqui.test', undefined, true],
    ['huge.chasqui.test', 512, true],
    ['huge.chasqui.test', 4096, true],
  ];
  for (const [name, udpPayloadSize, truncated] of cases) {
    const additionals = udpPayloadSize === undefined ? [] : [opt({ udpPayloadSize })];
    const response = await ask(name, 'TXT', { additionals });
    assert.equal(response.flag_tc, truncated, `${name} ${udpPayloadSize}`);
    assert.equal(response.answers?.length, truncated ? 0 : 1);
    assert.equal(response.additionals?.length, additionals.length);
  }
  const whole = await ask('huge.chasqui.test', 'TXT', { transport: 'tcp' });
  assert.deepEqual([whole.flag_tc, whole.answers?.length], [false, 1]);
});

test('a failing lookup is SERVFAIL and says why', async () => {
  const cause = new Error('the database is gone');
  const failing: Zone = { ...zone, lookup: async () => await Promise.reject(cause) };
  const reply = await answer(failing, query('mx.chasqui.test', 'A'), 'udp');
  assert.ok(reply);
  assert.equal(reply.error, cause);
  const response = decode(reply.packet) as Response;
  assert.deepEqual([response.rcode, response.flag_aa, response.questions?.length], ['SERVFAIL', false, 1]);
});

test('responses and fragments of a header get silence', async () => {
  const response = query('mx.chasqui.test', 'A');
  response.writeUInt8(0x80, 2);
  for (const packet of [response, Buffer.alloc(0), Buffer.alloc(11)]) {
    assert.equal(await answer(zone, packet, 'udp'), undefined);
    assert.equal(answerTruncated(packet), undefined);
  }
});

test('malformed queries get FORMERR', async () => {
  const good = query('mx.chasqui.test', 'A', { additionals: [opt()] });
  const noQuestion = encode({ id: 4711, questions: [] });
  const twoQuestions = encode({
    id: 4711,
    questions: [
      { name: 'mx.chasqui.test', type: 'A' },
      { name: 'mx.chasqui.test', type: 'AAAA' },
    ],
  });
  const longName = query(`${`${'a'.repeat(60)}.`.repeat(4)}chasqui.test`, 'A');
  const pointer = Buffer.concat([good.subarray(0, 12), Buffer.from([0xc0, 0x00, 0, 1, 0, 1])]);
  pointer.writeUInt16BE(0, 10);
  const oddLabel = Buffer.from(good);
  oddLabel.writeUInt8(0x40, 12);
  const optWithName = Buffer.concat([good.subarray(0, -11), Buffer.from([1, 97]), good.subarray(-11)]);
  const optOverflow = Buffer.concat([good, Buffer.from([0, 10, 0, 9])]);
  optOverflow.writeUInt16BE(4, good.length - 2);
  const packets = {
    noQuestion,
    twoQuestions,
    longName,
    pointer,
    oddLabel,
    optWithName,
    optOverflow,
    twoOpts: query('mx.chasqui.test', 'A', { additionals: [opt(), opt()] }),
    optAsAnswer: query('mx.chasqui.test', 'A', { answers: [opt()] }),
    trailing: Buffer.concat([good, Buffer.from([0])]),
    cut: good.subarray(0, -3),
    cutQuestion: good.subarray(0, 20),
    headerOnly: good.subarray(0, 12),
  };
  for (const [name, packet] of Object.entries(packets)) {
    const reply = await answer(zone, packet, 'udp');
    assert.equal(reply?.rcode, 'FORMERR', name);
    assert.equal(reply.packet.readUInt16BE(0), 4711);
    assert.ok(reply.packet.length <= packet.length);
  }
});

test('a truncated answer asks for TCP and is never longer than its query', () => {
  for (const packet of [
    query('huge.chasqui.test', 'TXT'),
    query('huge.chasqui.test', 'TXT', { additionals: [opt()] }),
    query('.', 'NS'),
    query('chasqui.test', 'SOA', { additionals: [opt({ ednsVersion: 9 })] }),
    Buffer.alloc(12),
  ]) {
    const reply = answerTruncated(packet);
    assert.ok(reply);
    assert.ok(reply.packet.length <= packet.length);
    assert.equal(decode(reply.packet).flag_tc, reply.rcode === 'NOERROR');
  }
});
