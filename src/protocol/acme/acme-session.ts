import type { KeyObject } from 'node:crypto';
import { signRequest, type Signer } from './jws.ts';

/** Directory of an ACME server (RFC 8555 §7.1.1), as far as it is used. */
interface Directory {
  newNonce: string;
  newAccount: string;
  newOrder: string;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** What the server said against a request or a name. `type` is a URN of RFC 8555 §6.7. */
export class AcmeError extends Error {
  readonly type: string;
  /** How long the server asks to be left alone (RFC 8555 §6.6). */
  readonly retry_after_seconds: number;

  constructor(type: string, detail: string, retry_after_seconds = 0) {
    super(`${detail} (${type.replace('urn:ietf:params:acme:error:', '')})`);
    this.name = 'AcmeError';
    this.type = type;
    this.retry_after_seconds = retry_after_seconds;
  }
}

const badNonce = 'urn:ietf:params:acme:error:badNonce';
const maxAnswerBytes = 262_144;
const requestMs = 30_000;

export interface SessionOptions {
  directory_url: string;
  account_key: KeyObject;
  user_agent: string;
  /** Ends everything under way. */
  signal: AbortSignal;
}

/** Signed requests to one server, each with a nonce of its own. */
export class AcmeSession {
  readonly #options: SessionOptions;
  readonly #directory: Directory;
  readonly #nonces: string[] = [];
  #signer: Signer;

  private constructor(options: SessionOptions, directory: Directory) {
    this.#options = options;
    this.#directory = directory;
    this.#signer = { key: options.account_key };
  }

  /** Finds the account of the key or makes one, which says yes to the server's terms (RFC 8555 §7.3). */
  static async open(options: SessionOptions, contact: string[]): Promise<AcmeSession> {
    const { text } = await request(options, options.directory_url, { method: 'GET' });
    const session = new AcmeSession(options, JSON.parse(text) as Directory);
    const { headers } = await session.post(session.#directory.newAccount, {
      termsOfServiceAgreed: true,
      contact,
    });
    const kid = headers.get('location');
    if (kid === null) throw new Error('The ACME server named no account.');
    session.#signer = { key: options.account_key, kid };
    return session;
  }

  async newOrder(names: readonly string[]): Promise<Answer> {
    const identifiers = names.map((value) => ({ type: 'dns', value }));
    return await this.post(this.#directory.newOrder, { identifiers });
  }

  /** Without a payload it reads (POST-as-GET). A nonce that was refused is replaced once (RFC 8555 §6.5). */
  async post(url: string, payload?: unknown): Promise<Answer> {
    try {
      return await this.#post(url, payload);
    } catch (error) {
      if (!(error instanceof AcmeError) || error.type !== badNonce) throw error;
      return await this.#post(url, payload);
    }
  }

  async #post(url: string, payload: unknown): Promise<Answer> {
    const nonce = this.#nonces.pop() ?? (await this.#newNonce());
    return await request(this.#options, url, {
      method: 'POST',
      body: signRequest(this.#signer, { nonce, url, payload }),
      // Also of a refusal.
      onHeaders: (headers) => {
        const next = headers.get('replay-nonce');
        if (next !== null) this.#nonces.push(next);
      },
    });
  }

  async #newNonce(): Promise<string> {
    const { headers } = await request(this.#options, this.#directory.newNonce, { method: 'HEAD' });
    const nonce = headers.get('replay-nonce');
    if (nonce === null) throw new Error('The ACME server gave no nonce.');
    return nonce;
  }
}

async function request(
  { user_agent, signal }: SessionOptions,
  url: string,
  { onHeaders, ...init }: { method: string; body?: string; onHeaders?: (headers: Headers) => void },
): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    headers: { 'user-agent': user_agent, 'content-type': 'application/jose+json' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
  });
  onHeaders?.(response.headers);
  const text = await readBounded(response);
  if (!response.ok) throw refusal(response, text);
  return { status: response.status, headers: response.headers, text };
}

/** RFC 9110 §10.2.3: seconds or a date. */
function secondsOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000);
  return seconds > 0 ? seconds : 0;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error('The answer of the ACME server is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal({ status, headers }: Response, text: string): Error {
  try {
    const { type, detail } = JSON.parse(text) as { type?: string; detail?: string };
    const words = detail?.slice(0, 500) ?? `status ${status}`;
    if (typeof type === 'string') return new AcmeError(type, words, secondsOf(headers.get('retry-after')));
  } catch {
    // Something in between answered.
  }
  return new Error(`The ACME server answered ${status}.`);
}
