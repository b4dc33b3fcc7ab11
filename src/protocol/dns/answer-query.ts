import { parseQuery } from './parse-query.ts';
import type { Query } from './parse-query.ts';
import { maxUdpPayload, writeHeaderOnly, writeResponse, writeTruncated } from './write-response.ts';
import type { OwnedSet, Rcode, Response } from './write-response.ts';
import { recordSetsAt } from './zone.ts';
import type { RecordSet, Zone } from './zone.ts';

export interface AnswerPacket {
  packet: Buffer;
  rcode: Rcode;
  /** Why the answer is SERVFAIL. */
  error?: unknown;
}

const classIn = 1;
const maxCnameHops = 8;
const minUdpPayload = 512;
const maxTcpMessage = 65_535;

const typeNumbers: Record<RecordSet['type'], number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
};
const typeAny = 255;

/** Question types that ask for an operation and not for records: OPT, TKEY, TSIG, IXFR, AXFR, MAILB, MAILA. */
const metaTypes = new Map<number, Rcode>([
  [41, 'FORMERR'],
  [249, 'FORMERR'],
  [250, 'FORMERR'],
  [251, 'REFUSED'],
  [252, 'REFUSED'],
  [253, 'NOTIMP'],
  [254, 'NOTIMP'],
]);

/** The response to one query packet, or undefined when the packet deserves silence. */
export async function answer(
  zone: Zone,
  packet: Buffer,
  transport: 'udp' | 'tcp',
): Promise<AnswerPacket | undefined> {
  const parsed = parseQuery(packet);
  if (parsed.kind === 'ignored') return undefined;
  if (parsed.kind === 'rejected')
    return { packet: writeHeaderOnly(parsed.header, parsed.rcode), rcode: parsed.rcode };
  const { query } = parsed;
  const limit = transport === 'tcp' ? maxTcpMessage : udpLimit(query);
  try {
    const response = await respond(zone, query);
    return { packet: writeResponse(query, response, limit), rcode: response.rcode };
  } catch (error) {
    return { packet: writeResponse(query, failure('SERVFAIL'), limit), rcode: 'SERVFAIL', error };
  }
}

/** The answer to every few queries of a rate-limited source: it cannot amplify, and sends a real resolver to TCP. */
export function answerTruncated(packet: Buffer): AnswerPacket | undefined {
  const parsed = parseQuery(packet);
  if (parsed.kind === 'ignored') return undefined;
  if (parsed.kind === 'rejected')
    return { packet: writeHeaderOnly(parsed.header, parsed.rcode), rcode: parsed.rcode };
  return { packet: writeTruncated(parsed.query), rcode: 'NOERROR' };
}

function udpLimit(query: Query): number {
  if (query.edns === undefined) return minUdpPayload;
  return Math.min(maxUdpPayload, Math.max(minUdpPayload, query.edns.payload_size));
}

async function respond(zone: Zone, query: Query): Promise<Response> {
  if (query.edns !== undefined && query.edns.version > 0) return failure('BADVERS');
  const meta = metaTypes.get(query.type);
  if (meta !== undefined) return failure(meta);
  if (query.class !== classIn || !isInZone(zone, query.labels)) return failure('REFUSED');
  return await respondFromZone(zone, query);
}

async function respondFromZone(zone: Zone, query: Query): Promise<Response> {
  const answers: OwnedSet[] = [];
  let owner = query.labels.join('.');
  for (let hop = 0; hop <= maxCnameHops; hop += 1) {
    const sets = await recordSetsAt(zone, owner);
    if (sets === undefined) return negative(zone, 'NXDOMAIN', answers);
    const set = pickSet(sets, query.type);
    if (set === undefined) return negative(zone, 'NOERROR', answers);
    answers.push({ owner, set });
    const target = set.type === 'CNAME' && query.type !== typeNumbers.CNAME ? set.records[0] : undefined;
    if (target === undefined || query.type === typeAny || !isInZone(zone, labelsOf(target))) break;
    owner = labelsOf(target).join('.');
  }
  return { rcode: 'NOERROR', authoritative: true, answers, authorities: [] };
}

function pickSet(sets: RecordSet[], type: number): OwnedSet['set'] | undefined {
  const alias = sets.find((set) => set.type === 'CNAME');
  if (alias !== undefined || sets.length === 0) return alias;
  // RFC 8482 §4.2: one small record instead of everything, useless to an amplifier.
  if (type === typeAny) return { type: 'HINFO', ttl: 3600, records: [{ cpu: 'RFC8482', os: '' }] };
  return sets.find((set) => typeNumbers[set.type] === type && set.records.length > 0);
}

/** RFC 2308 §3: the SOA rides along with the time for which "no" may be remembered. */
function negative(zone: Zone, rcode: 'NXDOMAIN' | 'NOERROR', answers: OwnedSet[]): Response {
  const ttl = Math.min(zone.soa.ttl, zone.soa.records[0].minimum);
  return {
    rcode,
    authoritative: true,
    answers,
    authorities: [{ owner: zone.origin, set: { ...zone.soa, ttl } }],
  };
}

function failure(rcode: Rcode): Response {
  return { rcode, authoritative: false, answers: [], authorities: [] };
}

function isInZone(zone: Zone, labels: string[]): boolean {
  const origin = zone.origin.split('.');
  return (
    labels.length >= origin.length && labels.slice(-origin.length).every((label, i) => label === origin[i])
  );
}

function labelsOf(name: string): string[] {
  return name.toLowerCase().replace(/\.$/, '').split('.');
}
