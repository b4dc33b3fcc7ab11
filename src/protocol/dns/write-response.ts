import { encode } from 'dns-packet';
import type { Answer } from 'dns-packet';
import type { Query, QueryHeader } from './parse-query.ts';
import type { RecordSet } from './zone.ts';

const rcodes = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;
export type Rcode = keyof typeof rcodes;

/** What crosses every path unfragmented (DNS flag day 2020). */
export const maxUdpPayload = 1232;

export type AnswerSet = RecordSet | { type: 'HINFO'; ttl: number; records: { cpu: string; os: string }[] };

export interface OwnedSet {
  owner: string;
  set: AnswerSet;
}

export interface Response {
  rcode: Rcode;
  authoritative: boolean;
  answers: OwnedSet[];
  authorities: OwnedSet[];
}

const flagResponse = 0x8000;
const flagAuthoritative = 0x0400;
const flagTruncated = 0x0200;
const flagRecursionDesired = 0x0100;
const headerBytes = 12;

/** The answer to a message that is not exactly one question: only the header. */
export function writeHeaderOnly(header: QueryHeader, rcode: Rcode): Buffer {
  return writeHeader(header, { flags: rcodes[rcode], counts: [0, 0, 0, 0] });
}

/** The whole response, or one without records and with TC set when it is larger than `limit`. */
export function writeResponse(query: Query, response: Response, limit: number): Buffer {
  const answers = response.answers.flatMap((owned) => encodeSet(query, owned));
  const authorities = response.authorities.flatMap((owned) => encodeSet(query, owned));
  const opt = query.edns === undefined ? [] : [encodeOpt(query.edns.dnssec_ok, response.rcode)];
  const flags = (response.authoritative ? flagAuthoritative : 0) | (rcodes[response.rcode] & 0xf);
  const whole = Buffer.concat([
    writeHeader(query, { flags, counts: [1, answers.length, authorities.length, opt.length] }),
    query.question,
    ...answers,
    ...authorities,
    ...opt,
  ]);
  if (whole.length <= limit) return whole;
  const header = writeHeader(query, { flags: flags | flagTruncated, counts: [1, 0, 0, opt.length] });
  return Buffer.concat([header, query.question, ...opt]);
}

/** "Ask again over TCP", never longer than the query. */
export function writeTruncated(query: Query): Buffer {
  return writeResponse(query, { rcode: 'NOERROR', authoritative: false, answers: [], authorities: [] }, 0);
}

function writeHeader(
  header: QueryHeader,
  { flags, counts }: { flags: number; counts: [number, number, number, number] },
): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  const echoed = header.recursion_desired ? flagRecursionDesired : 0;
  bytes.writeUInt16BE(header.id, 0);
  bytes.writeUInt16BE(flagResponse | (header.opcode << 11) | echoed | flags, 2);
  for (const [index, count] of counts.entries()) bytes.writeUInt16BE(count, 4 + 2 * index);
  return bytes;
}

function encodeSet(query: Query, { owner, set }: OwnedSet): Buffer[] {
  const name = encodeOwner(query, owner);
  return recordsOf(set).map((record) => Buffer.concat([name, encodeRecord(record)]));
}

/** Owners inside the question's name become a pointer into it (RFC 1035 §4.1.4), which also keeps its letter case. */
function encodeOwner(query: Query, owner: string): Buffer {
  let offset = headerBytes;
  for (const index of query.labels.keys()) {
    if (query.labels.slice(index).join('.') === owner) return Buffer.of(0xc0 | (offset >> 8), offset & 0xff);
    offset += 1 + query.question.readUInt8(offset - headerBytes);
  }
  return encode({ questions: [{ name: owner, type: 'A' }] }).subarray(headerBytes, -4);
}

/** Type, class, TTL and data: everything after the owner, which is the root here and takes one byte. */
function encodeRecord(record: Answer): Buffer {
  return encode({ answers: [record] }).subarray(headerBytes + 1);
}

function recordsOf(set: AnswerSet): Answer[] {
  const { type, ttl, records } = set;
  if (type === 'TXT') return records.map((text) => ({ name: '.', type, ttl, data: characterStrings(text) }));
  if (type === 'MX') return records.map((data) => ({ name: '.', type, ttl, data }));
  if (type === 'SOA') return records.map((data) => ({ name: '.', type, ttl, data }));
  if (type === 'HINFO') return records.map((data) => ({ name: '.', type, ttl, data }));
  return records.map((data) => ({ name: '.', type, ttl, data }));
}

/** A character-string holds 255 bytes (RFC 1035 §3.3); an RSA-2048 key needs two. */
export function characterStrings(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const strings = [bytes.subarray(0, 255)];
  for (let offset = 255; offset < bytes.length; offset += 255)
    strings.push(bytes.subarray(offset, offset + 255));
  return strings;
}

function encodeOpt(dnssecOk: boolean, rcode: Rcode): Buffer {
  const opt = Buffer.alloc(11);
  opt.writeUInt16BE(41, 1);
  opt.writeUInt16BE(maxUdpPayload, 3);
  opt.writeUInt8(rcodes[rcode] >> 4, 5);
  opt.writeUInt16BE(dnssecOk ? 0x8000 : 0, 7);
  return opt;
}
