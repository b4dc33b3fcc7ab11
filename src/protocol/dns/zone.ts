export interface SoaData {
  mname: string;
  rname: string;
  serial: number;
  refresh: number;
  retry: number;
  expire: number;
  minimum: number;
}

export interface MxData {
  preference: number;
  exchange: string;
}

/** All records of one type at one name. Names carry no trailing dot; a TXT is one string of any length. */
export type RecordSet =
  | { type: 'A' | 'AAAA' | 'NS' | 'CNAME' | 'TXT'; ttl: number; records: string[] }
  | { type: 'MX'; ttl: number; records: MxData[] }
  | SoaRecordSet;

export interface SoaRecordSet {
  type: 'SOA';
  ttl: number;
  records: [SoaData];
}

export interface NsRecordSet {
  type: 'NS';
  ttl: number;
  records: string[];
}

export interface Zone {
  /** Lower case, without a trailing dot. */
  origin: string;
  soa: SoaRecordSet;
  ns: NsRecordSet;
  /**
   * Everything at a name except the apex SOA and NS, which every zone must have and which stand above.
   * The name is lower case, without a trailing dot, odd bytes escaped as in a zone file.
   * `undefined`: the name does not exist. `[]`: it exists without records (an empty non-terminal).
   */
  lookup(name: string): Promise<RecordSet[] | undefined>;
}

/** Everything at a name, the apex SOA and NS included. */
export async function recordSetsAt(zone: Zone, name: string): Promise<RecordSet[] | undefined> {
  const found = await zone.lookup(name);
  return name === zone.origin ? [zone.soa, zone.ns, ...(found ?? [])] : found;
}
