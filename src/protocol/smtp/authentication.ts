import { isUtf8 } from 'node:buffer';
import { decodeBase64 } from '../base64.ts';
import type { AuthResult } from './handlers.ts';
import type { Reply } from './reply.ts';
import { ask, isRefusal, type SessionState } from './session-state.ts';
import { isLoopback, sourceOf } from '../address/source-network.ts';

/** RFC 4954 §4: the longest line of an exchange, its line end included. */
export const maxAuthLine = 12_288;
// A bound on the keys of the throttle.
const maxUsername = 255;

const tooLong: Reply = { code: 500, enhanced: '5.5.6', text: 'Authentication exchange line is too long' };
const notBase64: Reply = { code: 501, enhanced: '5.5.2', text: 'Cannot decode the base64 text' };
const wrong: Reply = { code: 535, enhanced: '5.7.8', text: 'Authentication credentials invalid' };
const failing: Reply = { code: 454, enhanced: '4.7.0', text: 'Temporary authentication failure' };

type Response = (text: Buffer) => Reply | Promise<Reply>;

interface Conclusion<User> {
  result: AuthResult<User>;
  username: string;
  source: string;
}

export const maySendPassword = (state: SessionState<unknown>): boolean =>
  state.info.tls !== undefined || (state.options.allow_plaintext_auth && isLoopback(state.info.peer.address));

/** AUTH with PLAIN (RFC 4616) and LOGIN (not standardized, but the only one that some clients support). */
export class Authentication<User> {
  readonly #state: SessionState<User>;
  #awaited: Response | undefined;

  constructor(state: SessionState<User>) {
    this.#state = state;
  }

  /** Whether the next line belongs to the exchange and is not a command. */
  get in_progress(): boolean {
    return this.#awaited !== undefined;
  }

  async begin(argument: string): Promise<Reply> {
    const [name = '', initial, ...rest] = argument.split(' ');
    const mechanism = name.toUpperCase();
    if (mechanism !== 'PLAIN' && mechanism !== 'LOGIN') {
      return { code: 504, enhanced: '5.5.4', text: 'Mechanism not supported' };
    }
    if (rest.length > 0) return { code: 501, enhanced: '5.5.4', text: 'One initial response at most' };
    const [question, response]: [string, Response] =
      mechanism === 'PLAIN' ? ['', (text) => this.#plain(text)] : ['Username:', (text) => this.#login(text)];
    if (initial === undefined) return this.#challenge(question, response);
    // RFC 4954 §4: "=" is an empty initial response.
    const decoded = initial === '=' ? Buffer.alloc(0) : decodeBase64(initial);
    return decoded === undefined ? notBase64 : await response(decoded);
  }

  async respond(line: Buffer): Promise<Reply> {
    const response = this.#awaited;
    this.#awaited = undefined;
    if (line.length > maxAuthLine - 2) return tooLong;
    const text = line.toString('latin1');
    if (text === '*') return { code: 501, enhanced: '5.7.0', text: 'Authentication cancelled' };
    const decoded = decodeBase64(text);
    return decoded === undefined || response === undefined ? notBase64 : await response(decoded);
  }

  #challenge(text: string, response: Response): Reply {
    this.#awaited = response;
    return { code: 334, text: Buffer.from(text).toString('base64') };
  }

  /** authzid NUL authcid NUL password; another authzid than the authcid is refused. */
  async #plain(text: Buffer): Promise<Reply> {
    const [identity, username, password, ...rest] = text.toString('latin1').split('\0');
    if (identity === undefined || username === undefined || password === undefined || rest.length > 0) {
      return { code: 501, enhanced: '5.5.2', text: 'Malformed PLAIN response' };
    }
    if (identity !== '' && identity !== username) return wrong;
    return await this.#check(Buffer.from(username, 'latin1'), Buffer.from(password, 'latin1'));
  }

  #login(username: Buffer): Reply {
    return this.#challenge('Password:', (password) => this.#check(username, password));
  }

  async #check(name: Buffer, secret: Buffer): Promise<Reply> {
    if (name.length === 0 || name.length > maxUsername || !isUtf8(name) || !isUtf8(secret)) return wrong;
    const { info, options } = this.#state;
    const [username, source] = [name.toString(), sourceOf(info.peer.address)];
    const wait = options.throttle?.waitMs(source, username) ?? 0;
    if (wait > 0) {
      options.log?.({ event: 'auth_failed', session: info, username, throttled: true });
      const text = `Too many failed attempts, try again in ${Math.ceil(wait / 1000)} seconds`;
      return { code: 454, enhanced: '4.7.0', text };
    }
    const credentials = { username, password: secret.toString(), session: info };
    const result = await ask<AuthResult<User>>(
      this.#state,
      () => options.handlers.onAuth?.(credentials) ?? { ok: false },
      failing,
    );
    return 'code' in result ? result : this.#conclude({ result, username, source });
  }

  #conclude({ result, username, source }: Conclusion<User>): Reply {
    const { info, options } = this.#state;
    if (result.ok) {
      this.#state.authenticated = true;
      this.#state.user = result.user;
      options.throttle?.succeeded(source, username);
      options.log?.({ event: 'authenticated', session: info, username });
      return { code: 235, enhanced: '2.7.0', text: 'Authentication succeeded' };
    }
    const reply = result.reply !== undefined && isRefusal(result.reply) ? result.reply : wrong;
    if (reply.code >= 500) options.throttle?.failed(source, username);
    options.log?.({ event: 'auth_failed', session: info, username, throttled: false });
    return reply;
  }
}
