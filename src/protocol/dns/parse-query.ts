const headerBytes = 12;
const maxNameBytes = 255;
const typeOpt = 41;

export interface Edns {
  payload_size: number;
  version: number;
  dnssec_ok: boolean;
}

export interface QueryHeader {
  id: number;
  opcode: number;
  recursion_desired: boolean;
}

export interface Query extends QueryHeader {
  /** The question as it came, echoed byte for byte so that a resolver's random letter case survives. */
  question: Buffer;
  /** Lower case, in zone-file escapes: a dot inside a label is `\.` and cannot pass for a separator. */
  labels: string[];
  type: number;
  class: number;
  edns: Edns | undefined;
}

export type ParsedQuery =
  | { kind: 'ignored' }
  | { kind: 'rejected'; header: QueryHeader; rcode: 'FORMERR' | 'NOTIMP' }
  | { kind: 'query'; query: Query };

/**
 * Reads only what an authoritative answer needs, within the packet's bounds and without allocating by its counts,
 * so that a hostile packet costs no more than its length.
 */
export function parseQuery(packet: Buffer): ParsedQuery {
  if (!isAnswerable(packet)) return { kind: 'ignored' };
  const flags = packet.readUInt16BE(2);
  const header: QueryHeader = {
    id: packet.readUInt16BE(0),
    opcode: (flags >> 11) & 0xf,
    recursion_desired: (flags & 0x0100) !== 0,
  };
  if (header.opcode !== 0) return { kind: 'rejected', header, rcode: 'NOTIMP' };
  const query = parseBody(packet, header);
  return query === undefined ? { kind: 'rejected', header, rcode: 'FORMERR' } : { kind: 'query', query };
}

/** Answering a response would let two servers talk to each other for ever. */
export function isAnswerable(packet: Buffer): boolean {
  return packet.length >= headerBytes && (packet.readUInt8(2) & 0x80) === 0;
}

function parseBody(packet: Buffer, header: QueryHeader): Query | undefined {
  // RFC 9619: exactly one question.
  if (packet.readUInt16BE(4) !== 1) return undefined;
  const labels = readLabels(packet);
  if (labels === undefined) return undefined;
  const end = labels.end + 4;
  if (end > packet.length) return undefined;
  const edns = findEdns(packet, end);
  if (edns === 'malformed') return undefined;
  return {
    ...header,
    question: packet.subarray(headerBytes, end),
    labels: labels.labels,
    type: packet.readUInt16BE(end - 4),
    class: packet.readUInt16BE(end - 2),
    edns,
  };
}

/** No compression here: nothing stands before the question that a pointer could rightly refer to. */
function readLabels(packet: Buffer): { labels: string[]; end: number } | undefined {
  const labels: string[] = [];
  let offset = headerBytes;
  while (offset < packet.length) {
    const length = packet.readUInt8(offset);
    offset += 1;
    if (offset - headerBytes > maxNameBytes) return undefined;
    if (length === 0) return { labels, end: offset };
    if (length > 63 || offset + length > packet.length) return undefined;
    labels.push(labelText(packet.subarray(offset, offset + length)));
    offset += length;
  }
  return undefined;
}

function labelText(label: Buffer): string {
  return label
    .toString('latin1')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9_-]/g, (char) =>
      char > ' ' && char <= '~' ? `\\${char}` : `\\${String(char.charCodeAt(0)).padStart(3, '0')}`,
    );
}

/** The one OPT record of the additional section (RFC 6891 §6.1.1); the other records are only stepped over. */
function findEdns(packet: Buffer, start: number): Edns | undefined | 'malformed' {
  const before = packet.readUInt16BE(6) + packet.readUInt16BE(8);
  const total = before + packet.readUInt16BE(10);
  let edns: Edns | undefined;
  let offset = start;
  for (let index = 0; index < total; index += 1) {
    const fixed = skipName(packet, offset);
    if (fixed === undefined || fixed + 10 > packet.length) return 'malformed';
    const end = fixed + 10 + packet.readUInt16BE(fixed + 8);
    if (end > packet.length) return 'malformed';
    if (packet.readUInt16BE(fixed) === typeOpt) {
      const allowed = index >= before && edns === undefined && fixed === offset + 1;
      if (!allowed || !optionsFit(packet.subarray(fixed + 10, end))) return 'malformed';
      edns = readEdns(packet, fixed);
    }
    offset = end;
  }
  return offset === packet.length ? edns : 'malformed';
}

function readEdns(packet: Buffer, fixed: number): Edns {
  return {
    payload_size: packet.readUInt16BE(fixed + 2),
    version: packet.readUInt8(fixed + 5),
    dnssec_ok: (packet.readUInt16BE(fixed + 6) & 0x8000) !== 0,
  };
}

function optionsFit(options: Buffer): boolean {
  let offset = 0;
  while (offset + 4 <= options.length) offset += 4 + options.readUInt16BE(offset + 2);
  return offset === options.length;
}

function skipName(packet: Buffer, start: number): number | undefined {
  let offset = start;
  while (offset < packet.length) {
    const length = packet.readUInt8(offset);
    if (length === 0) return offset + 1;
    if (length >= 0xc0) return offset + 2;
    if (length > 63) return undefined;
    offset += 1 + length;
  }
  return undefined;
}
