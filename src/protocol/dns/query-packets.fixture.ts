import assert from 'node:assert/strict';
import { decode, encode } from 'dns-packet';
import type { DecodedPacket, OptAnswer, Packet, RecordType } from 'dns-packet';
import { answer } from './answer-query.ts';
import { createMemoryZone } from './memory-zone.fixture.ts';

export const longText = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
const hugeText = 'x'.repeat(1500);
export const zone = createMemoryZone('chasqui.test', {
  'chasqui.test': [{ type: 'A', ttl: 60, records: ['192.0.2.1'] }],
  'mx.chasqui.test': [
    { type: 'A', ttl: 60, records: ['192.0.2.2', '192.0.2.3'] },
    { type: 'AAAA', ttl: 60, records: ['2001:db8::2'] },
  ],
  'long.chasqui.test': [{ type: 'TXT', ttl: 60, records: [longText] }],
  'huge.chasqui.test': [{ type: 'TXT', ttl: 60, records: [hugeText] }],
  's1.token.dkim.chasqui.test': [{ type: 'TXT', ttl: 60, records: ['v=DKIM1'] }],
  'alias.chasqui.test': [{ type: 'CNAME', ttl: 60, records: ['MX.chasqui.test'] }],
  'dangling.chasqui.test': [{ type: 'CNAME', ttl: 60, records: ['nothing.chasqui.test'] }],
  'away.chasqui.test': [{ type: 'CNAME', ttl: 60, records: ['example.org'] }],
  'loop.chasqui.test': [{ type: 'CNAME', ttl: 60, records: ['loop.chasqui.test'] }],
});

export type Response = DecodedPacket & { rcode: string };
type Extra = Omit<Packet, 'questions'> & { transport?: 'udp' | 'tcp' };

export function query(name: string, type: RecordType, packet: Packet = {}): Buffer {
  return encode({ id: 4711, type: 'query', ...packet, questions: [{ name, type }] });
}

export function opt(changes: Partial<OptAnswer> = {}): OptAnswer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
    ...changes,
  };
}

export async function raw(packet: Buffer, extra: Extra = {}): Promise<Buffer> {
  const reply = await answer(zone, packet, extra.transport ?? 'udp');
  assert.ok(reply);
  return reply.packet;
}

export async function ask(name: string, type: RecordType, extra: Extra = {}): Promise<Response> {
  return decode(await raw(query(name, type, extra), extra)) as Response;
}

/** A question with numbers that the encoder has no names for. */
export function numericQuery(name: string, type: number, rrclass = 1): Buffer {
  const packet = query(name, 'A');
  packet.writeUInt16BE(type, packet.length - 4);
  packet.writeUInt16BE(rrclass, packet.length - 2);
  return packet;
}
