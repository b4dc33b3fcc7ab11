import { connect, type Socket } from 'node:net';

/** An answer as it stood on the wire. */
export interface RawAnswer {
  status: number;
  /** Names as sent, in the order sent. */
  headers: [string, string][];
  header: (name: string) => string | undefined;
  body: string;
  /** The parsed body, when it is JSON; loosely typed, as tests say what they expect of it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The bytes of a request, with Host and Content-Length unless the caller says otherwise. */
export function requestBytes({ method = 'GET', path = '/', headers = {}, body }: RawRequest): Buffer {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const content = body === undefined ? undefined : Buffer.from(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(given.has('host') ? [] : ['host: localhost']),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(content && !given.has('content-length') && !given.has('transfer-encoding')
      ? [`content-length: ${content.length}`]
      : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content ?? Buffer.alloc(0)]);
}

export function openSocket(base_url: string): Socket {
  const { hostname, port } = new URL(base_url);
  // To look the name up for each of thousands of connections took as long as all else.
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname;
  const socket = connect({ host, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
}

interface ExchangeOptions {
  timeout_ms?: number;
  /** The answer to a HEAD announces a body that does not come. */
  bodyless?: boolean;
  /** Writes more than the first bytes, at its own pace. */
  more?: (socket: Socket) => void;
}

/** Sends bytes and reads one answer; undefined when the connection ends without one. Throws when neither happens. */
export async function exchange(
  base_url: string,
  bytes: Buffer | string,
  { timeout_ms = 60_000, bodyless = false, more }: ExchangeOptions = {},
): Promise<RawAnswer | undefined> {
  const socket = openSocket(base_url);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer | undefined>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeout_ms} ms`)), timeout_ms);
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const answer = parseAnswer(received, bodyless);
    if (answer) resolve(answer);
  });
  socket.once('close', () => resolve(undefined));
  socket.write(bytes);
  more?.(socket);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** One request, one answer: anything else is an error. */
export async function send(
  base_url: string,
  request: RawRequest,
  options: ExchangeOptions = {},
): Promise<RawAnswer> {
  const bodyless = request.method === 'HEAD';
  const answer = await exchange(base_url, requestBytes(request), { bodyless, ...options });
  if (!answer) throw new Error(`${request.method ?? 'GET'} ${request.path ?? '/'} got no answer`);
  return answer;
}

function parseAnswer(received: string, bodyless: boolean): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = received.slice(end + 4);
  if (status === 100) return parseAnswer(rest, bodyless);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const header = (name: string): string | undefined =>
    headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  const length = bodyless ? 0 : Number(header('content-length') ?? 0);
  if (rest.length < length) return undefined;
  const body = Buffer.from(rest.slice(0, length), 'latin1').toString('utf8');
  const isJson = /json/.test(header('content-type') ?? '') && body !== '';
  return { status, headers, header, body, json: isJson ? JSON.parse(body) : undefined };
}
