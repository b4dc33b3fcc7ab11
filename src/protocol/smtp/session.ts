import type { ByteHold } from '../byte-budget.ts';
import { Authentication, maySendPassword } from './authentication.ts';
import { parseCommandLine, type CommandLine } from './command-line.ts';
import type { DataResult } from './data-reader.ts';
import type { TlsDetails } from './handlers.ts';
import type { Answer, NextStep, Reply } from './reply.ts';
import {
  ask,
  isAcceptance,
  isRefusal,
  nameProtocol,
  type SessionOptions,
  type SessionState,
} from './session-state.ts';
import { Transaction } from './transaction.ts';

// Protocol errors. Refusals by handlers do not count.
const errorCodes = new Set([454, 500, 501, 502, 503, 504, 530, 535, 538, 555]);
// A browser that was made to post to this port: what follows must not be read as commands.
const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'CONNECT', 'OPTIONS', 'TRACE']);
const heloPattern = /^[\w!#$%&'*+./:=?^`{|}~[\]-]{1,255}$/;

const ok: Reply = { code: 250, enhanced: '2.0.0', text: 'OK' };
const noArgument: Reply = { code: 501, enhanced: '5.5.4', text: 'No argument allowed' };
const unknown: Reply = { code: 500, enhanced: '5.5.2', text: 'Command not recognized' };
const bye: Reply = { code: 221, enhanced: '2.0.0', text: 'Bye' };

/**
 * The protocol without sockets. The caller passes one line at a time, sends the answer, and does what `next` says: read
 * another line, read a message and pass it to `message`, start TLS and call `secured`, or close.
 */
export class Session<User> {
  readonly #options: SessionOptions<User>;
  readonly #state: SessionState<User>;
  readonly #transaction: Transaction<User>;
  readonly #authentication: Authentication<User>;
  #errors = 0;
  #idleCommands = 0;

  constructor(options: SessionOptions<User>) {
    this.#options = options;
    this.#state = {
      options,
      info: options.session,
      greeted: 'no',
      authenticated: false,
      user: undefined,
      smtputf8: false,
    };
    this.#transaction = new Transaction(this.#state);
    this.#authentication = new Authentication(this.#state);
  }

  /** Memory of the message that follows DATA. */
  get hold(): ByteHold {
    return this.#transaction.hold;
  }

  get in_transaction(): boolean {
    return this.#transaction.in_progress;
  }

  get authenticated(): boolean {
    return this.#state.authenticated;
  }

  async greeting(): Promise<Answer> {
    const { name, handlers } = this.#options;
    const welcome: Answer = { code: 220, enhanced: '', text: `${name} ESMTP ready`, next: 'line' };
    if (!('onConnect' in handlers)) return welcome;
    const failing: Reply = { code: 421, enhanced: '4.3.0', text: 'Temporary failure, try again later' };
    const verdict = await ask(this.#state, () => handlers.onConnect?.(this.#state.info), failing);
    if (isAcceptance(verdict)) return welcome;
    return { ...(verdict !== undefined && isRefusal(verdict) ? verdict : failing), next: 'close' };
  }

  /**
   * The line has no CRLF. `isFollowed` tells that bytes after it have already arrived. Most commands are answered at once,
   * without a promise.
   */
  handle(line: Buffer | string, isFollowed = false): Answer | Promise<Answer> {
    const reply = this.#replyTo(line, isFollowed);
    return reply instanceof Promise ? reply.then((given) => this.#count(given)) : this.#count(reply);
  }

  #replyTo(line: Buffer | string, isFollowed: boolean): Reply | Promise<Reply> {
    if (this.#authentication.in_progress) return this.#authentication.respond(Buffer.from(line));
    const read = parseCommandLine(line);
    return 'code' in read ? read : this.#obey(read, isFollowed);
  }

  async message(result: DataResult): Promise<Answer> {
    const reply = await this.#transaction.message(result);
    this.#idleCommands = 0;
    if (isAcceptance(reply)) this.#errors = 0;
    return { ...reply, next: nextAfter(reply) };
  }

  /** RFC 3207 §4.2: discards what was learned before TLS. */
  secured(tls: TlsDetails): void {
    const state = this.#state;
    state.info.tls = tls;
    state.info.helo = '';
    state.greeted = 'no';
    state.authenticated = false;
    state.user = undefined;
    this.#transaction.reset();
    state.info.protocol = nameProtocol(state);
  }

  #hello(kind: 'helo' | 'ehlo', argument: string): Reply {
    if (!heloPattern.test(argument)) {
      return { code: 501, enhanced: '5.5.4', text: 'Expected a host name or an address literal' };
    }
    this.#state.greeted = kind;
    this.#state.info.helo = argument;
    this.#transaction.reset();
    const { name } = this.#options;
    const text = kind === 'helo' ? name : [`${name} greets ${argument}`, ...this.#extensions()];
    return { code: 250, enhanced: '', text };
  }

  #extensions(): string[] {
    const { max_message_bytes, max_recipients, start_tls, handlers } = this.#options;
    const offers = ['PIPELINING', `SIZE ${max_message_bytes}`, '8BITMIME', 'SMTPUTF8'];
    offers.push('ENHANCEDSTATUSCODES', `LIMITS RCPTMAX=${max_recipients}`);
    if (start_tls && this.#state.info.tls === undefined) offers.push('STARTTLS');
    if (handlers.onAuth !== undefined && maySendPassword(this.#state)) offers.push('AUTH PLAIN LOGIN');
    return offers;
  }

  #startTls(argument: string, isFollowed: boolean): Reply {
    if (argument !== '') return noArgument;
    const { tls } = this.#state.info;
    if (tls !== undefined) return { code: 503, enhanced: '5.5.1', text: 'TLS is already active' };
    if (!this.#options.start_tls) return { code: 454, enhanced: '4.7.0', text: 'TLS not available' };
    // Plaintext after STARTTLS would be processed as if it had come encrypted (CVE-2011-0411).
    if (isFollowed) {
      const text = 'Nothing may follow STARTTLS before its reply';
      return { code: 503, enhanced: '5.5.1', text, close: true };
    }
    return { code: 220, enhanced: '2.0.0', text: 'Ready to start TLS' };
  }

  #auth(argument: string): Reply | Promise<Reply> {
    const refuse = (code: number, enhanced: string, text: string): Reply => ({ code, enhanced, text });
    const state = this.#state;
    if (this.#options.handlers.onAuth === undefined) return refuse(502, '5.5.1', 'AUTH is not offered');
    if (state.greeted !== 'ehlo') return refuse(503, '5.5.1', 'Send EHLO first');
    if (state.authenticated) return refuse(503, '5.5.1', 'Already authenticated');
    if (this.#transaction.in_progress) return refuse(503, '5.5.1', 'Not within a transaction');
    if (!maySendPassword(state)) return refuse(538, '5.7.11', 'Encryption required: send STARTTLS first');
    return this.#authentication.begin(argument);
  }

  #mail(argument: string): Reply | Promise<Reply> {
    if (this.#state.greeted === 'no') return { code: 503, enhanced: '5.5.1', text: 'Send EHLO first' };
    if (!this.#options.require_auth || this.#state.authenticated) return this.#transaction.mail(argument);
    const text = maySendPassword(this.#state) ? 'Authentication required' : 'Send STARTTLS first';
    return { code: 530, enhanced: '5.7.0', text };
  }

  #obey({ verb, argument }: CommandLine, isFollowed: boolean): Reply | Promise<Reply> {
    switch (verb) {
      case 'EHLO':
        return this.#hello('ehlo', argument);
      case 'HELO':
        return this.#hello('helo', argument);
      case 'STARTTLS':
        return this.#startTls(argument, isFollowed);
      case 'AUTH':
        return this.#auth(argument);
      case 'MAIL':
        return this.#mail(argument);
      case 'RCPT':
        return this.#transaction.rcpt(argument);
      case 'DATA':
        return this.#transaction.data(argument);
      case 'RSET':
        if (argument !== '') return noArgument;
        this.#transaction.reset();
        return ok;
      case 'NOOP':
        return ok;
      case 'VRFY':
        return verify(argument);
      case 'EXPN':
        return { code: 502, enhanced: '5.5.1', text: 'Lists are not expanded here' };
      case 'HELP':
        return { code: 214, enhanced: '2.0.0', text: 'See RFC 5321' };
      case 'QUIT':
        return argument === '' ? bye : noArgument;
      default:
        return httpMethods.has(verb) ? { ...unknown, close: true } : unknown;
    }
  }

  /** Counts errors and idle commands, so that no client can stay without sending mail. */
  #count(reply: Reply): Answer {
    if (errorCodes.has(reply.code)) this.#errors += 1;
    if (!this.#transaction.in_progress) this.#idleCommands += 1;
    const { max_errors, max_idle_commands, max_commands_before_auth } = this.#options.limits;
    if (this.#errors > max_errors) return closing('Too many errors');
    const mustSignIn = this.#options.require_auth && !this.#state.authenticated;
    if (mustSignIn && this.#idleCommands > max_commands_before_auth) {
      return closing('Too many commands without authentication');
    }
    if (this.#idleCommands > max_idle_commands) return closing('Too many commands without a message');
    return { ...reply, next: nextAfter(reply) };
  }
}

/** RFC 5321 §3.5.3: neither confirmed nor denied. */
function verify(argument: string): Reply {
  if (argument === '') return { code: 501, enhanced: '5.5.4', text: 'Expected an address' };
  return { code: 252, enhanced: '2.0.0', text: 'Cannot verify, but will take a message' };
}

function nextAfter(reply: Reply): NextStep {
  if (reply.close === true || reply.code === 221 || reply.code === 421) return 'close';
  if (reply.code === 354) return 'data';
  return reply.code === 220 ? 'tls' : 'line';
}

function closing(text: string): Answer {
  return { code: 421, enhanced: '4.7.0', text, next: 'close' };
}
