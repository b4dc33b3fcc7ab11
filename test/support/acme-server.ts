import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, flattenedVerify, importJWK, type FlattenedJWS, type JWK } from 'jose';
import { certify, selfSignedCertificate } from '../../src/protocol/tls/self-signed-certificate.ts';
import { readCsr } from './read-csr.ts';

interface Order {
  names: string[];
  /** By name. */
  authorizations: Map<string, { token: string; status: string; error?: object }>;
  account: string;
  status: string;
  certificate?: string;
}

/** A certificate authority with ACME (RFC 8555) that looks at HTTP-01 challenges at a port of this machine. */
export interface AcmeServer {
  directory: string;
  /** Its root, in PEM. */
  root: string;
  accounts: Map<string, { key: JWK; contact: string[] }>;
  orders: Order[];
  /** Where all names lead to; the port of the service under test. */
  challenge_port: number;
  /** So many nonces are refused, however good they are. */
  refuse_nonces: number;
  /** Given out instead of the one that was ordered. */
  other_certificate: string | undefined;
  stop(): Promise<void>;
}

const error = 'urn:ietf:params:acme:error:';
class Refusal extends Error {
  readonly type: string;
  constructor(type: string, detail: string) {
    super(detail);
    this.type = error + type;
  }
}

const valid_days = 90;

interface Signed {
  url: string;
  payload: Record<string, unknown> | undefined;
  account: string;
  key: JWK;
}

export async function startAcmeServer(): Promise<AcmeServer> {
  const ca = selfSignedCertificate({
    names: ['test-authority'],
    valid_from: new Date(0),
    valid_days: 36_500,
    is_authority: true,
  });
  const nonces = new Set<string>();
  const http = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: AcmeServer = {
    directory: `${base}/directory`,
    root: ca.cert,
    accounts: new Map(),
    orders: [],
    challenge_port: 0,
    refuse_nonces: 0,
    other_certificate: undefined,
    async stop() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64url');
    nonces.add(nonce);
    outgoing.setHeader('replay-nonce', nonce);
    try {
      if (incoming.url === '/directory') {
        const names = { newNonce: 'new-nonce', newAccount: 'new-account', newOrder: 'new-order' };
        reply(
          outgoing,
          200,
          Object.fromEntries(Object.entries(names).map(([key, at]) => [key, `${base}/${at}`])),
        );
      } else if (incoming.url === '/new-nonce') outgoing.writeHead(200).end();
      else await serve(await verified(incoming), outgoing);
    } catch (refusal) {
      const type = refusal instanceof Refusal ? refusal.type : `${error}malformed`;
      reply(outgoing, 400, { type, detail: (refusal as Error).message });
    }
  }

  /** RFC 8555 §6.2 to §6.5: who signed it, for this URL, with a nonce of ours that was not used before. */
  async function verified(incoming: IncomingMessage): Promise<Signed> {
    if (incoming.method !== 'POST' || incoming.headers['content-type'] !== 'application/jose+json')
      throw new Refusal('malformed', 'not a signed request');
    if (!incoming.headers['user-agent']) throw new Refusal('malformed', 'no user agent (RFC 8555 §6.1)');
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const jws = JSON.parse(Buffer.concat(chunks).toString()) as FlattenedJWS;
    const url = `${base}${incoming.url}`;
    let found: { key: JWK; account: string } | undefined;
    const { payload, protectedHeader } = await flattenedVerify(jws, async (header) => {
      const { jwk, kid } = header as { jwk?: JWK; kid?: string };
      if ((jwk === undefined) === (kid === undefined)) throw new Refusal('malformed', 'jwk or kid');
      if ((jwk !== undefined) !== (incoming.url === '/new-account'))
        throw new Refusal('malformed', 'jwk is for new accounts');
      const key = jwk ?? server.accounts.get(kid ?? '')?.key;
      if (key === undefined) throw new Refusal('accountDoesNotExist', 'no such account');
      found = { key, account: kid ?? `${base}/account/${await calculateJwkThumbprint(key)}` };
      return await importJWK(key, 'ES256');
    });
    if (protectedHeader?.['url'] !== url) throw new Refusal('unauthorized', 'signed for another URL');
    if (!nonces.delete(String(protectedHeader?.['nonce'])) || server.refuse_nonces-- > 0)
      throw new Refusal('badNonce', 'a nonce that is not good');
    if (found === undefined) throw new Refusal('malformed', 'no key');
    const text = Buffer.from(payload).toString();
    return {
      url,
      ...found,
      payload: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  async function serve({ url, payload, account, key }: Signed, outgoing: ServerResponse): Promise<void> {
    const [, what = '', number = '', name = ''] = new URL(url).pathname.split('/');
    if (what === 'new-account') {
      if (payload?.['termsOfServiceAgreed'] !== true)
        throw new Refusal('userActionRequired', 'agree to the terms');
      const status = server.accounts.has(account) ? 200 : 201;
      server.accounts.set(account, { key, contact: payload['contact'] as string[] });
      outgoing.setHeader('location', account);
      return reply(outgoing, status, { status: 'valid' });
    }
    if (what === 'new-order') {
      const { identifiers = [] } = payload as { identifiers?: { type: string; value: string }[] };
      const names = identifiers.map(({ value }) => value);
      const token = (): string => randomBytes(24).toString('base64url');
      const authorizations = new Map(names.map((each) => [each, { token: token(), status: 'pending' }]));
      server.orders.push({ names, authorizations, account, status: 'pending' });
      outgoing.setHeader('location', `${base}/order/${server.orders.length - 1}`);
      return reply(outgoing, 201, shown(server.orders.length - 1));
    }
    const order = server.orders[Number(number)];
    if (order?.account !== account) throw new Refusal('unauthorized', 'not yours');
    if (what === 'order') return reply(outgoing, 200, shown(Number(number)));
    if (what === 'authorization') {
      return reply(outgoing, 200, authorization(Number(number), name));
    }
    if (what === 'challenge') {
      await examine(order, name, key);
      return reply(outgoing, 200, authorization(Number(number), name).challenges[0] ?? {});
    }
    if (what === 'finalize') {
      if (order.status !== 'ready') throw new Refusal('orderNotReady', order.status);
      issue(order, Buffer.from(String(payload?.['csr']), 'base64url'));
      return reply(outgoing, 200, shown(Number(number)));
    }
    if (what === 'certificate' && payload === undefined)
      return void outgoing
        .writeHead(200, { 'content-type': 'application/pem-certificate-chain' })
        .end(server.other_certificate ?? order.certificate);
    throw new Refusal('malformed', `nothing at ${url}`);
  }

  function shown(number: number): object {
    const { names = [], status } = server.orders[number] ?? {};
    return {
      status,
      identifiers: names.map((value) => ({ type: 'dns', value })),
      authorizations: names.map((name) => `${base}/authorization/${number}/${name}`),
      finalize: `${base}/finalize/${number}`,
      ...(status === 'valid' ? { certificate: `${base}/certificate/${number}` } : {}),
    };
  }

  function authorization(number: number, name: string) {
    const {
      token,
      status,
      error: why,
    } = server.orders[number]?.authorizations.get(name) ?? { status: 'invalid' };
    const challenge = {
      type: 'http-01',
      url: `${base}/challenge/${number}/${name}`,
      token,
      status,
      ...(why ? { error: why } : {}),
    };
    return { identifier: { type: 'dns', value: name }, status, challenges: [challenge] };
  }

  async function examine(order: Order, name: string, key: JWK): Promise<void> {
    const proof = order.authorizations.get(name);
    if (proof === undefined) throw new Refusal('malformed', 'no such name');
    const { status, text } = await read(
      server.challenge_port,
      name,
      `/.well-known/acme-challenge/${proof.token}`,
    );
    const isProven = status === 200 && text === `${proof.token}.${await calculateJwkThumbprint(key)}`;
    const why = { type: `${error}unauthorized`, detail: `the answer was ${status}` };
    Object.assign(proof, isProven ? { status: 'valid' } : { status: 'invalid', error: why });
    const all = [...order.authorizations.values()].map((each) => each.status);
    if (all.every((each) => each === 'valid')) order.status = 'ready';
    if (all.includes('invalid')) order.status = 'invalid';
  }

  function issue(order: Order, csr: Buffer): void {
    const { key, names } = readCsr(csr);
    if (names.toSorted().join() !== order.names.toSorted().join()) throw new Refusal('badCSR', names.join());
    const valid_from = new Date(Date.now() - 60_000);
    const request = { names: names as [string, ...string[]], valid_from, valid_days, issuer: ca };
    Object.assign(order, { status: 'valid', certificate: certify(request, key, ca.key) + ca.cert });
  }
  return server;
}

function reply(outgoing: ServerResponse, status: number, body: object): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  outgoing.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

async function read(port: number, host: string, path: string): Promise<{ status: number; text: string }> {
  const [response] = (await once(
    ask({ host: '127.0.0.1', port, path, headers: { host } }).end(),
    'response',
  )) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}
