import type { Answer, DecodedPacket } from 'dns-packet';
import type { TlsaRecord } from '../../dane/check-certificate.ts';

export interface RecordData {
  A: string;
  AAAA: string;
  MX: { exchange: string; preference: number };
  /** The character-strings of a record, joined. */
  TXT: string;
  CNAME: string;
  NS: string;
  PTR: string;
  TLSA: TlsaRecord;
}
export type RecordType = keyof RecordData;

const longestChain = 16;
/** RFC 2308 §5 when no SOA says otherwise. */
const negativeTtlSeconds = 60;

export interface ReadRecords<T> {
  records: T[];
  /** Minimum over the records and the CNAMEs before them, or the negative TTL. */
  ttl_seconds: number;
}

/** The records of a type in an answer, at the end of the CNAME chain. */
export function readRecords<T extends RecordType>(
  packet: DecodedPacket,
  question: { name: string; type: T },
): ReadRecords<RecordData[T]> {
  const answers = (packet.answers ?? []).filter((answer) => answer.type !== 'OPT');
  let owner = question.name.toLowerCase();
  let ttl = Infinity;
  for (let hop = 0; hop <= longestChain; hop += 1) {
    const here = answers.filter(({ name }) => name.toLowerCase() === owner);
    const found = here.filter(({ type }) => type === question.type);
    if (found.length > 0) {
      const records = found.map((answer) => dataOf(answer) as RecordData[T]);
      return { records, ttl_seconds: Math.min(ttl, ...found.map(ttlOf)) };
    }
    const alias = here.find((answer) => answer.type === 'CNAME');
    if (alias?.type !== 'CNAME') break;
    ttl = Math.min(ttl, ttlOf(alias));
    owner = alias.data.toLowerCase();
  }
  return { records: [], ttl_seconds: Math.min(ttl, negativeTtl(packet)) };
}

function negativeTtl(packet: DecodedPacket): number {
  const soa = packet.authorities?.find((record) => record.type === 'SOA');
  if (soa?.type !== 'SOA') return negativeTtlSeconds;
  return Math.min(ttlOf(soa), soa.data.minimum ?? negativeTtlSeconds);
}

function ttlOf(answer: Answer): number {
  return 'ttl' in answer ? (answer.ttl ?? 0) : 0;
}

function dataOf(answer: Answer): RecordData[RecordType] | undefined {
  if (answer.type === 'A' || answer.type === 'AAAA') return answer.data;
  if (answer.type === 'CNAME' || answer.type === 'NS' || answer.type === 'PTR') return answer.data;
  if (answer.type === 'TXT') return [answer.data].flat().map(String).join('');
  if (answer.type === 'MX') {
    return { exchange: answer.data.exchange, preference: answer.data.preference ?? 0 };
  }
  if (answer.type !== 'TLSA') return undefined;
  const { usage, selector, matchingType, certificate } = answer.data;
  return { usage, selector, matching_type: matchingType, data: certificate };
}
