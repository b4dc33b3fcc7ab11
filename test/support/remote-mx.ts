import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { wallClock, type Clock } from './movable-clock.ts';
import {
  selfSignedCertificate,
  type SelfSignedCertificate,
} from '../../src/protocol/tls/self-signed-certificate.ts';
import { parsePath, SmtpInput } from './smtp-input.ts';
import { waitFor } from './wait-for.ts';

const verbs = ['EHLO', 'HELO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'RSET', 'NOOP', 'QUIT'] as const;

/** What can be scripted: the greeting, each command, `BODY` (the reply after the dot), `OTHER` commands. */
export type Command = 'greeting' | (typeof verbs)[number] | 'BODY' | 'OTHER';

type Lines = string | readonly string[];
type Action =
  | { act: 'drop' | 'silence' }
  | { act: 'close'; reply: Lines }
  | { act: 'delay'; ms: number; reply: Reply | undefined }
  | { act: 'garbage'; bytes: Buffer };
/** Lines go out as they are written, so a reply of several is `['550-no', '550 never']`. */
export type Reply = Lines | Action;
/** A function that gives undefined leaves the usual reply. */
export type Step =
  | Reply
  | ((state: SessionState, argument: string) => Reply | undefined | Promise<Reply | undefined>);
export type Script = Partial<Record<Command, Step>>;

/** Destroys the socket without a reply. */
export const drop: Action = { act: 'drop' };
/** Answers neither this nor anything after it, and keeps the connection. */
export const silence: Action = { act: 'silence' };
/** Replies, then closes the connection. */
export const close = (reply: Lines = '421 4.3.2 closing'): Action => ({ act: 'close', reply });
/** Waits before the reply (the usual one unless given). */
export const delay = (ms: number, reply?: Reply): Action => ({ act: 'delay', ms, reply });
/** Sends bytes as they are: no end of line is added. */
export const garbage = (bytes: Buffer = Buffer.from('00ff13378081fe0d0a', 'hex')): Action => ({
  act: 'garbage',
  bytes,
});
/** The first time the first item, and so on; the last one stays. `RCPT: inSequence('451 later', '250 ok')`. */
export function inSequence<T>(...items: readonly [T, ...T[]]): () => T {
  let next = 0;
  return () => items[Math.min(next++, items.length - 1)] as T;
}

export interface SessionState {
  session: RemoteMxSession;
  command: Command;
  /** How often this command came in this session and in all sessions, this time included. */
  times: number;
  total: number;
  mail_from: string | undefined;
  rcpt_to: readonly string[];
  /** The message, when the command is `BODY`. */
  data: Buffer | undefined;
}

export interface RemoteMxSession {
  remote_address: string;
  opened_at: Date;
  closed_at: Date | undefined;
  /** Every line without its end; of a message only the final dot. */
  dialogue: { from: 'client' | 'server'; line: string; at: Date }[];
  tls: { protocol: string | null; cipher: string; servername: string | undefined } | undefined;
  /** Whether a command was seen to arrive before the one in front of it was answered. */
  pipelined: boolean;
  /** What the sockets complained about: resets, failed handshakes. */
  errors: string[];
}

export interface RemoteMxMessage {
  mail_from: string;
  /** `SIZE=9 SMTPUTF8` is `{ SIZE: '9', SMTPUTF8: '' }`. */
  mail_params: Record<string, string>;
  rcpt_to: string[];
  /** Without the dots of transparency and the final dot. */
  data: Buffer;
  session: RemoteMxSession;
}

export interface RemoteMxOptions {
  host?: string;
  port?: number;
  name?: string;
  capabilities?: string[];
  /** What STARTTLS leads to, real or broken TLS; or TLS from the first byte. */
  tls?: 'starttls' | 'broken' | 'implicit';
  certificate?: SelfSignedCertificate;
  /** Further options of the TLS side, such as `maxVersion`. */
  secure_context?: SecureContextOptions;
  script?: Script;
  clock?: Clock;
}

/** The settings may be changed while it runs and hold from the next command on. */
export interface RemoteMx extends Required<RemoteMxOptions> {
  sessions: RemoteMxSession[];
  /** Messages answered with 2xx. */
  messages: RemoteMxMessage[];
  /** Messages that arrived whole but were answered otherwise, or not at all. */
  unaccepted_messages: RemoteMxMessage[];
  open_sessions: number;
  max_open_sessions: number;
  waitForMessages: (count: number, timeout_ms?: number) => Promise<RemoteMxMessage[]>;
  /** Cuts every connection, and may be called again; throws what a script's function threw. */
  stop: () => Promise<void>;
}

/** A remote mail server on loopback that does what its script says, and records everything. */
export async function startRemoteMx(options: RemoteMxOptions = {}): Promise<RemoteMx> {
  const sockets = new Set<Socket>();
  const failures: unknown[] = [];
  const mx = withDefaults(options);
  const totals = new Map<Command, number>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    mx.max_open_sessions = Math.max(mx.max_open_sessions, (mx.open_sessions += 1));
    socket.once('close', () => {
      sockets.delete(socket);
      mx.open_sessions -= 1;
    });
    new Conversation(mx, socket, totals).run().catch((error: unknown) => {
      failures.push(error);
      socket.destroy();
    });
  });
  const end = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    if (failures.length > 0) throw failures[0];
  };
  let ended: Promise<void> | undefined;
  mx.stop = () => (ended ??= end());
  server.listen(mx.port, mx.host);
  await once(server, 'listening');
  mx.port = (server.address() as AddressInfo).port;
  return mx;
}

function withDefaults(options: RemoteMxOptions): RemoteMx {
  const { name = 'mx.test', host = '127.0.0.1' } = options;
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const mx: RemoteMx = {
    port: 0,
    capabilities: ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'STARTTLS'],
    tls: 'starttls',
    certificate: selfSignedCertificate({ names: [name, 'localhost', host], valid_from: anHourAgo }),
    secure_context: {},
    script: {},
    clock: wallClock,
    ...options,
    name,
    host,
    sessions: [],
    messages: [],
    unaccepted_messages: [],
    open_sessions: 0,
    max_open_sessions: 0,
    waitForMessages: async (count, timeout_ms = 20_000) => {
      const what = () => `${count} messages at ${name} (${mx.messages.length} came)`;
      return await waitFor(() => mx.messages.length >= count && mx.messages, { timeout_ms, what });
    },
    stop: async () => {},
  };
  return mx;
}

class Conversation {
  readonly #mx: RemoteMx;
  readonly #session: RemoteMxSession;
  readonly #totals: Map<Command, number>;
  readonly #times = new Map<Command, number>();
  readonly #input = new SmtpInput();
  readonly #gone = new AbortController();
  #socket: Socket;
  #mute = false;
  #greeted: 'EHLO' | 'HELO' | undefined;
  #mail: { path: string; params: Record<string, string> } | undefined;
  #recipients: string[] = [];
  #authenticating = false;

  readonly #usualReplies: Record<Command, (argument: string) => Lines> = {
    greeting: () => `220 ${this.#mx.name} ESMTP`,
    EHLO: () => this.#capabilities(),
    HELO: () => `250 ${this.#mx.name}`,
    STARTTLS: () => this.#usualStartTlsReply(),
    AUTH: () => '502 5.5.1 not implemented',
    MAIL: (argument) => this.#usualMailReply(argument),
    RCPT: (argument) => this.#usualRcptReply(argument),
    DATA: () => (this.#recipients.length > 0 ? '354 end with a dot' : '503 5.5.1 no valid recipients'),
    BODY: () => '250 2.0.0 accepted',
    RSET: () => '250 2.0.0 ok',
    NOOP: () => '250 2.0.0 ok',
    QUIT: () => '221 2.0.0 bye',
    OTHER: () => '502 5.5.1 not implemented',
  };

  constructor(mx: RemoteMx, socket: Socket, totals: Map<Command, number>) {
    this.#mx = mx;
    this.#totals = totals;
    this.#session = {
      remote_address: `${socket.remoteAddress}:${socket.remotePort}`,
      opened_at: mx.clock.now(),
      closed_at: undefined,
      dialogue: [],
      tls: undefined,
      pipelined: false,
      errors: [],
    };
    mx.sessions.push(this.#session);
    this.#socket = socket;
    this.#use(socket);
    socket.once('close', () => {
      this.#session.closed_at = mx.clock.now();
      this.#gone.abort();
    });
  }

  async run(): Promise<void> {
    if (this.#mx.tls === 'implicit') await this.#secure();
    await this.#answer('greeting', '');
    for (;;) {
      const line = await this.#input.readLine();
      if (line === undefined) return;
      this.#record('client', line.replace(/\r$/, ''));
      if (line.endsWith('\r')) await this.#handle(line.slice(0, -1));
      else this.#perform('500 5.5.2 a line ends with CR LF');
    }
  }

  async #handle(line: string): Promise<void> {
    const [word = '', ...rest] = line.split(' ');
    const verb = verbs.find((known) => known === word.toUpperCase()) ?? 'OTHER';
    const command = this.#authenticating ? 'AUTH' : verb;
    const argument = this.#authenticating || verb === 'OTHER' ? line : rest.join(' ');
    const code = await this.#answer(command, argument);
    this.#authenticating = command === 'AUTH' && code === 334;
    if (command === 'DATA' && code === 354) await this.#receiveMessage();
    else if (command === 'STARTTLS' && code === 220) await this.#secure();
    else if (isPositive(code)) this.#apply(command, argument);
  }

  /** What a positive reply changes. */
  #apply(command: Command, argument: string): void {
    if (command === 'MAIL') this.#mail = parsePath(argument) ?? { path: argument, params: {} };
    if (command === 'RCPT') this.#recipients.push(parsePath(argument)?.path ?? argument);
    if (command === 'EHLO' || command === 'HELO') this.#greeted = command;
    if (['EHLO', 'HELO', 'RSET', 'BODY'].includes(command)) {
      this.#mail = undefined;
      this.#recipients = [];
    }
    if (command === 'QUIT') this.#finish();
  }

  async #receiveMessage(): Promise<void> {
    const data = await this.#input.readMessage();
    if (data === undefined) return;
    this.#record('client', '.');
    const message: RemoteMxMessage = {
      mail_from: this.#mail?.path ?? '',
      mail_params: this.#mail?.params ?? {},
      rcpt_to: this.#recipients,
      data,
      session: this.#session,
    };
    const code = await this.#answer('BODY', '', data);
    (isPositive(code) ? this.#mx.messages : this.#mx.unaccepted_messages).push(message);
    // The transaction is over whatever the reply was (RFC 5321 section 4.1.1.4).
    this.#apply('BODY', '');
  }

  /** Plays the step for this command; gives the code of the reply that went out, 0 when none did. */
  async #answer(command: Command, argument: string, data?: Buffer): Promise<number> {
    if (this.#mute) return 0;
    this.#session.pipelined ||= this.#input.waiting;
    const state = this.#state(command, data);
    const step = this.#mx.script[command];
    let reply = typeof step === 'function' ? await step(state, argument) : step;
    while (isAction(reply) && reply.act === 'delay') {
      // A client that leaves ends the wait; nothing is sent then.
      await sleep(reply.ms, undefined, { signal: this.#gone.signal }).catch(() => undefined);
      reply = reply.reply;
    }
    return this.#perform(reply ?? this.#usualReplies[command](argument));
  }

  #state(command: Command, data: Buffer | undefined): SessionState {
    const times = (this.#times.get(command) ?? 0) + 1;
    const total = (this.#totals.get(command) ?? 0) + 1;
    this.#times.set(command, times);
    this.#totals.set(command, total);
    const mail_from = this.#mail?.path;
    return { session: this.#session, command, times, total, mail_from, rcpt_to: this.#recipients, data };
  }

  #perform(reply: Exclude<Reply, { act: 'delay' }>): number {
    if (this.#mute || this.#socket.destroyed) return 0;
    if (!isAction(reply)) return this.#send(reply);
    const code = reply.act === 'close' ? this.#send(reply.reply) : 0;
    if (reply.act === 'close') this.#finish();
    if (reply.act === 'drop') this.#socket.destroy();
    if (reply.act === 'silence') this.#mute = true;
    if (reply.act === 'garbage') {
      this.#record('server', reply.bytes.toString('latin1'));
      this.#socket.write(reply.bytes);
    }
    return code;
  }

  #send(reply: Lines): number {
    const lines = typeof reply === 'string' ? [reply] : reply;
    for (const line of lines) this.#record('server', line);
    this.#socket.write(lines.map((line) => `${line}\r\n`).join(''));
    return Number(lines.at(-1)?.slice(0, 3));
  }

  #finish(): void {
    this.#mute = true;
    this.#socket.end();
  }

  #record(from: 'client' | 'server', line: string): void {
    this.#session.dialogue.push({ from, line, at: this.#mx.clock.now() });
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    this.#input.attach(socket);
    socket.on('error', (error) => this.#session.errors.push(error.message));
  }

  async #secure(): Promise<void> {
    const plain = this.#socket.removeAllListeners('data');
    if (this.#mx.tls === 'broken') {
      this.#mute = true;
      plain.once('data', () => plain.end('\u0000 this is not a TLS record\r\n'));
      return;
    }
    let servername: string | undefined;
    const secured = Promise.withResolvers<TLSSocket | undefined>();
    const server = createTlsServer({
      ...this.#mx.certificate,
      ...this.#mx.secure_context,
      SNICallback: (name, done) => {
        servername = name;
        done(null);
      },
    });
    server.once('secureConnection', secured.resolve);
    server.once('tlsClientError', (error) => {
      this.#session.errors.push(error.message);
      secured.resolve(undefined);
    });
    server.emit('connection', plain);
    const socket = await secured.promise;
    this.#mute = socket === undefined;
    if (socket === undefined) return;
    this.#use(socket);
    this.#greeted = undefined;
    this.#session.tls = { protocol: socket.getProtocol(), cipher: socket.getCipher().name, servername };
  }

  #usualMailReply(argument: string): string {
    const path = parsePath(argument);
    if (!this.#greeted) return '503 5.5.1 EHLO first';
    if (this.#mail) return '503 5.5.1 nested MAIL';
    if (!path) return '501 5.5.4 MAIL FROM:<address>';
    const stranger = Object.keys(path.params).find((name) => !this.#offers(extensionOf[name] ?? name));
    return stranger === undefined ? '250 2.1.0 sender ok' : `555 5.5.4 ${stranger} was not offered`;
  }

  #usualRcptReply(argument: string): string {
    if (!this.#mail) return '503 5.5.1 MAIL first';
    return parsePath(argument) ? '250 2.1.5 recipient ok' : '501 5.5.4 RCPT TO:<address>';
  }

  #usualStartTlsReply(): string {
    if (this.#session.tls) return '503 5.5.1 already under TLS';
    return this.#offers('STARTTLS') ? '220 2.0.0 go ahead' : '502 5.5.1 not offered';
  }

  #capabilities(): string[] {
    const offered = this.#mx.capabilities.filter((line) => !this.#session.tls || line !== 'STARTTLS');
    const lines = [this.#mx.name, ...offered];
    return lines.map((line, index) => `250${index === lines.length - 1 ? ' ' : '-'}${line}`);
  }

  #offers(extension: string): boolean {
    if (this.#greeted !== 'EHLO') return false;
    return this.#mx.capabilities.some((line) => line.split(' ')[0] === extension);
  }
}

/** The extension a parameter of MAIL belongs to, where it has another name. */
const extensionOf: Record<string, string> = { BODY: '8BITMIME', RET: 'DSN', ENVID: 'DSN' };

function isAction(reply: Reply | undefined): reply is Action {
  return typeof reply === 'object' && 'act' in reply;
}

function isPositive(code: number): boolean {
  return code >= 200 && code < 300;
}
