import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import {
  AUTHENTIC_DATA,
  CHECKING_DISABLED,
  decode,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
  type Answer,
  type CaaData,
  type DecodedPacket,
  type MxData,
  type OptAnswer,
  type Question,
  type SoaData,
  type SrvData,
  type TlsaData,
} from 'dns-packet';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a record of each type may be written as. */
export interface RecordValues {
  A: string;
  AAAA: string;
  CNAME: string;
  NS: string;
  PTR: string;
  /** Also `'10 mx.test'`; `'0 .'` is the null MX. */
  MX: MxData | string;
  /** A string is cut into pieces of 255 bytes; a list says where the cuts are. */
  TXT: string | readonly string[];
  /** Also `'3 1 1 <hex>'`. */
  TLSA: TlsaData | string;
  CAA: CaaData;
  SOA: SoaData;
  SRV: SrvData;
}
export type RecordType = keyof RecordValues;
/** `{ 'example.test': { MX: ['10 mx.example.test'] } }` */
export type Records = Record<string, { [T in RecordType]?: readonly RecordValues[T][] }>;

/** TIMEOUT never answers. TRUNCATE answers over TCP only, whatever the size. */
export type Failure = 'SERVFAIL' | 'REFUSED' | 'TIMEOUT' | 'NXDOMAIN' | 'TRUNCATE' | 'FORMERR';

export interface DnsQuery {
  /** In the case it came in. */
  name: string;
  type: string;
  transport: 'udp' | 'tcp';
  /** The EDNS payload size, when there was one. */
  edns: number | undefined;
  at: Date;
}

export interface DnsServer {
  host: string;
  port: number;
  /** `127.0.0.1:port`, as `Resolver.setServers` takes it. */
  address: string;
  queries: DnsQuery[];
  /** The queries for a name in whatever case. */
  queriesFor: (name: string, type?: string) => DnsQuery[];
  /** Replaces the records of this name and type. `['a', 'b']` are two TXT records, `[['a', 'b']]` is one. */
  set: <T extends RecordType>(
    ...record: [name: string, type: T, values: readonly RecordValues[T][], options?: { ttl?: number }]
  ) => void;
  remove: (name: string, type?: RecordType) => void;
  /** `'*'` stands for every name or every type; the most exact match counts. */
  fail: (name: string, type: string, failure: Failure) => void;
  /** Ends the failures set for the name, or all of them. */
  recover: (name?: string) => void;
  /** Whether answers about this name carry the AD bit (for clients that ask for it by AD or DO). */
  authenticate: (name: string, authentic?: boolean) => void;
  /** May be called again. */
  stop: () => Promise<void>;
}

interface RecordSet {
  data: unknown[];
  ttl: number;
}

interface Outcome {
  rcode: number;
  answers: Answer[];
  /** The name the question ended at, which holds nothing of the type. */
  nothing_at?: string;
  authentic: boolean;
  truncate: boolean;
}

const responseCodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const longestChain = 16;

/** A recursive resolver, to its clients, over a zone that is all in memory. */
class Zone {
  readonly #names = new Map<string, Map<string, RecordSet>>();
  readonly #failures = new Map<string, Failure>();
  readonly #authentic = new Set<string>();

  set(name: string, type: string, records: RecordSet): void {
    const types = this.#names.get(key(name)) ?? new Map<string, RecordSet>();
    this.#names.set(key(name), types.set(type, records));
  }

  remove(name: string, type: string | undefined): void {
    const types = this.#names.get(key(name));
    if (type !== undefined) types?.delete(type);
    if (type === undefined || types?.size === 0) this.#names.delete(key(name));
  }

  fail(name: string, type: string, failure: Failure): void {
    this.#failures.set(`${key(name)} ${type}`, failure);
  }

  recover(name: string | undefined): void {
    for (const scope of this.#failures.keys()) {
      if (name === undefined || scope.startsWith(`${key(name)} `)) this.#failures.delete(scope);
    }
  }

  authenticate(name: string, authentic: boolean): void {
    if (authentic) this.#authentic.add(key(name));
    else this.#authentic.delete(key(name));
  }

  /** Follows aliases to the end; undefined is a resolver that never answers. */
  resolve({ name: asked, type }: Question): Outcome | undefined {
    const outcome: Outcome = { rcode: responseCodes.NOERROR, answers: [], authentic: true, truncate: false };
    let name = asked;
    for (let hop = 0; hop <= longestChain; hop += 1) {
      const failure = this.#failureOf(name, type);
      if (failure === 'TIMEOUT') return undefined;
      outcome.truncate ||= failure === 'TRUNCATE';
      outcome.authentic &&= this.#authentic.has(key(name));
      if (failure === 'NXDOMAIN') return { ...outcome, rcode: responseCodes.NXDOMAIN, nothing_at: name };
      if (failure && failure !== 'TRUNCATE')
        return { ...outcome, rcode: responseCodes[failure], answers: [] };
      const found = this.#answers(name, type);
      outcome.answers.push(...found);
      if (found.length > 0) return outcome;
      const [alias] = this.#answers(name, 'CNAME');
      if (alias?.type !== 'CNAME') return { ...outcome, ...this.#nothingAt(name) };
      outcome.answers.push(alias);
      name = alias.data;
    }
    return { ...outcome, rcode: responseCodes.SERVFAIL, answers: [] };
  }

  #answers(name: string, type: string): Answer[] {
    const { data = [], ttl = 0 } = this.#names.get(key(name))?.get(type) ?? {};
    return data.map((value) => ({ name, type, ttl, class: 'IN', data: value }) as Answer);
  }

  /** A name exists when it has records of another type or names below it (RFC 8020), else NXDOMAIN. */
  #nothingAt(name: string): Pick<Outcome, 'rcode' | 'nothing_at'> {
    const below = `.${key(name)}`;
    const exists = this.#names.keys().some((known) => `.${known}`.endsWith(below));
    return { rcode: exists ? responseCodes.NOERROR : responseCodes.NXDOMAIN, nothing_at: name };
  }

  #failureOf(name: string, type: string): Failure | undefined {
    const scopes = [`${key(name)} ${type}`, `${key(name)} *`, `* ${type}`, '* *'];
    return scopes.map((scope) => this.#failures.get(scope)).find((failure) => failure !== undefined);
  }
}

function key(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Values as dns-packet encodes them. */
function dataOf(type: string, value: unknown): unknown {
  if (type === 'TXT') return (typeof value === 'string' ? pieces(value) : (value as string[])).map(textBytes);
  if (typeof value !== 'string') return value;
  const words = value.split(' ');
  if (type === 'MX') return { preference: Number(words[0]), exchange: words[1] };
  if (type !== 'TLSA') return value;
  const [usage, selector, matchingType] = words.map(Number);
  return { usage, selector, matchingType, certificate: Buffer.from(words[3] ?? '', 'hex') };
}

function pieces(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * 255, (index + 1) * 255));
}

function textBytes(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new RangeError('a string of a TXT record has at most 255 bytes');
  return bytes;
}

/** The answer to one packet, written down in `queries`; undefined when there is to be none. */
function answerTo(packet: Buffer, transport: 'udp' | 'tcp', server: { zone: Zone; queries: DnsQuery[] }) {
  const query = decoded(packet);
  if (packet.length < 12 || query?.flag_qr) return undefined;
  const question = query?.questions?.[0];
  if (!query || !question || query.questions?.length !== 1) {
    return encode({ type: 'response', id: packet.readUInt16BE(0), flags: responseCodes.FORMERR });
  }
  const edns = ednsOf(query)?.udpPayloadSize;
  server.queries.push({ name: question.name, type: question.type, transport, edns, at: new Date() });
  const outcome = server.zone.resolve(question);
  if (!outcome) return undefined;
  if (transport === 'tcp') return response(query, outcome, 0xffff);
  return response(query, outcome, outcome.truncate ? 0 : Math.max(512, edns ?? 0));
}

function decoded(packet: Buffer): DecodedPacket | undefined {
  try {
    return decode(packet);
  } catch {
    return undefined; // answered with FORMERR
  }
}

function ednsOf(query: DecodedPacket): OptAnswer | undefined {
  return query.additionals?.find((record) => record.type === 'OPT');
}

function response(query: DecodedPacket, outcome: Outcome, limit: number): Buffer {
  const { rcode, answers, nothing_at } = outcome;
  const edns = ednsOf(query);
  // RFC 6840 section 5.8: no AD bit for who showed no interest in it.
  const authentic = outcome.authentic && (query.flag_ad || edns?.flag_do === true);
  const echoed = (query.flags ?? 0) & (RECURSION_DESIRED | CHECKING_DISABLED);
  const flags = RECURSION_AVAILABLE | echoed | (authentic ? AUTHENTIC_DATA : 0) | rcode;
  const head = {
    type: 'response' as const,
    id: query.id,
    questions: query.questions,
    additionals: edns ? [{ ...edns, udpPayloadSize: 1232, extendedRcode: 0, options: [] }] : [],
  };
  const authorities = nothing_at === undefined ? [] : [startOfAuthority(nothing_at)];
  const whole = encode({ ...head, flags, answers, authorities });
  return whole.length <= limit ? whole : encode({ ...head, flags: flags | TRUNCATED_RESPONSE });
}

/** Goes with negative answers, which are cached for as long as it says (RFC 2308 section 5). */
function startOfAuthority(name: string): Answer {
  const zone = name.split('.').at(-1) ?? '.';
  const times = { serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: 60 };
  return {
    type: 'SOA',
    name: zone,
    ttl: 60,
    class: 'IN',
    data: { mname: 'ns.test', rname: 'ops.test', ...times },
  };
}

/** A scriptable DNS server with real packets, over UDP and TCP on the same port of loopback. */
export async function startDnsServer(
  options: { records?: Records; host?: string; port?: number } = {},
): Promise<DnsServer> {
  const { records = {}, host = '127.0.0.1', port = 0 } = options;
  const zone = new Zone();
  const queries: DnsQuery[] = [];
  const set: DnsServer['set'] = (...[name, type, values, { ttl = 300 } = {}]) => {
    zone.set(name, type, { data: values.map((value) => dataOf(type, value)), ttl });
  };
  for (const [name, types] of Object.entries(records)) {
    for (const [type, values] of Object.entries(types)) set(name, type as RecordType, values);
  }
  const transports = await openTransports({ host, port }, (packet, transport) =>
    answerTo(packet, transport, { zone, queries }),
  );
  return {
    host,
    port: transports.port,
    address: `${host}:${transports.port}`,
    queries,
    queriesFor: (name, type) =>
      queries.filter((query) => key(query.name) === key(name) && (type ?? query.type) === query.type),
    set,
    remove: (name, type) => zone.remove(name, type),
    fail: (name, type, failure) => zone.fail(name, type, failure),
    recover: (name) => zone.recover(name),
    authenticate: (name, authentic = true) => zone.authenticate(name, authentic),
    stop: transports.close,
  };
}

type Answerer = (packet: Buffer, transport: 'udp' | 'tcp') => Buffer | undefined;

async function openTransports({ host, port }: { host: string; port: number }, answer: Answerer) {
  const connections = new Set<Socket>();
  const tcp = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    serveStream(socket, answer);
  });
  const udp = await bindSamePort(tcp, { host, port });
  udp.on('message', (packet, client) => {
    const reply = answer(packet, 'udp');
    if (reply) udp.send(reply, client.port, client.address);
  });
  const end = async () => {
    const closed = Promise.all([once(tcp, 'close'), once(udp, 'close')]);
    udp.close();
    tcp.close();
    for (const socket of connections) socket.destroy();
    await closed;
  };
  let ended: Promise<void> | undefined;
  return { port: udp.address().port, close: () => (ended ??= end()) };
}

/** TCP gets a free port first; UDP may find that one taken, and then another is tried. */
async function bindSamePort(tcp: Server, { host, port }: { host: string; port: number }): Promise<UdpSocket> {
  for (let attempt = 1; ; attempt += 1) {
    tcp.listen(port, host);
    await once(tcp, 'listening');
    const udp = createSocket('udp4');
    try {
      udp.bind((tcp.address() as AddressInfo).port, host);
      await once(udp, 'listening');
      return udp;
    } catch (error) {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
      if (port !== 0 || attempt === 10) throw error;
    }
  }
}

/** Each message over TCP has its length in front (RFC 1035 section 4.2.2). */
function serveStream(socket: Socket, answer: Answerer): void {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const reply = answer(pending.subarray(2, end), 'tcp');
      pending = pending.subarray(end);
      if (reply) socket.write(Buffer.concat([Buffer.from([reply.length >> 8, reply.length & 0xff]), reply]));
    }
  });
}
