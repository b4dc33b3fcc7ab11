import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffDelay } from '../backoff.ts';
import { certificateRequest } from '../tls/certificate-request.ts';
import { AcmeError, AcmeSession, type SessionOptions } from './acme-session.ts';
import { keyAuthorization } from './jws.ts';

/** Where the server finds the answer: `http://NAME/.well-known/acme-challenge/TOKEN` (RFC 8555 §8.3). */
export type Publish = (token: string, answer: string) => Promise<void>;

interface OrderOptions extends SessionOptions {
  contact: string[];
  names: readonly string[];
  /** Of the certificate, another than the account's (RFC 8555 §11.1). */
  certificate_key: KeyObject;
  publish: Publish;
}

interface Status {
  status: 'pending' | 'processing' | 'ready' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';
  error?: { type: string; detail?: string };
}
interface Order extends Status {
  authorizations: string[];
  finalize: string;
  certificate?: string;
}
interface Authorization extends Status {
  identifier: { value: string };
  challenges: (Status & { type: string; url: string; token: string })[];
}

const pollDelays = { first_ms: 250, most_ms: 10_000 };

/** Orders a certificate for the names, proves them by HTTP-01 and gives its chain in PEM (RFC 8555 §7.4). */
export async function orderCertificate(options: OrderOptions): Promise<string> {
  const { names, certificate_key, contact } = options;
  const session = await AcmeSession.open(options, contact);
  const { headers, text } = await session.newOrder(names);
  const url = headers.get('location');
  if (url === null) throw new Error('The ACME server named no order.');
  const { authorizations, finalize } = JSON.parse(text) as Order;
  for (const authorization of authorizations) await prove(session, authorization, options);
  await becomes<Order>(session, url, { signal: options.signal, until: ['ready', 'valid'] });
  const csr = certificateRequest(names, certificate_key).toString('base64url');
  await session.post(finalize, { csr });
  const order = await becomes<Order>(session, url, { signal: options.signal, until: ['valid'] });
  if (order.certificate === undefined) throw new Error('The ACME server named no certificate.');
  return (await session.post(order.certificate)).text;
}

async function prove(session: AcmeSession, url: string, options: OrderOptions): Promise<void> {
  const { text } = await session.post(url);
  const { status, identifier, challenges } = JSON.parse(text) as Authorization;
  // Proven lately, for an order before.
  if (status === 'valid') return;
  const challenge = challenges.find(({ type }) => type === 'http-01');
  if (challenge === undefined)
    throw new Error(`The ACME server offers no HTTP-01 challenge for ${identifier.value}.`);
  await options.publish(challenge.token, keyAuthorization(challenge.token, options.account_key));
  await session.post(challenge.url, {});
  await becomes<Authorization>(session, url, { signal: options.signal, until: ['valid'] });
}

interface Wait {
  signal: AbortSignal;
  until: Status['status'][];
}

/** Asks until the order or authorization is as it should be; what went wrong is said by it or by its challenges. */
async function becomes<T extends Status>(
  session: AcmeSession,
  url: string,
  { signal, until }: Wait,
): Promise<T> {
  for (let polls = 1; ; polls += 1) {
    const { text, headers } = await session.post(url);
    const current = JSON.parse(text) as T & Partial<Authorization>;
    if (until.includes(current.status)) return current;
    if (!['pending', 'processing', 'ready'].includes(current.status)) throw failure(current);
    const asked = Number(headers.get('retry-after')) * 1_000;
    await sleep(
      asked > 0 ? Math.min(asked, pollDelays.most_ms) : backoffDelay(polls, pollDelays),
      undefined,
      { signal },
    );
  }
}

function failure({ status, error, identifier, challenges = [] }: Status & Partial<Authorization>): Error {
  const cause = error ?? challenges.find((challenge) => challenge.error)?.error;
  const about = identifier ? `${identifier.value}: ` : '';
  if (cause === undefined) return new Error(`${about}the ACME server says ${status}`);
  return new AcmeError(cause.type, `${about}${cause.detail?.slice(0, 500) ?? status}`);
}
