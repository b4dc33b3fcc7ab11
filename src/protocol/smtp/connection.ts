import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { maxLine } from './command-line.ts';
import { DataReader, type DataLimits } from './data-reader.ts';
import type { SmtpLimits } from './limits.ts';
import { LineReader } from './line-reader.ts';
import type { CloseReason } from './log.ts';
import { CommandTimeouts } from './command-timeouts.ts';
import { formatReply, type Answer, type Reply } from './reply.ts';
import type { SessionOptions } from './session-state.ts';
import { Session } from './session.ts';
import { Transport } from './transport.ts';

// Buffered input beyond this pauses the socket.
const maxAheadBytes = 65_536;
const maxAheadChunks = 256;
// Replies to pipelined commands are sent together (RFC 2920 §3.2), up to this many characters.
const maxUnsent = 16_384;

const timedOut: Reply = { code: 421, enhanced: '4.4.2', text: 'Timed out waiting for you' };
const unauthenticated: Reply = { code: 421, enhanced: '4.7.0', text: 'Not authenticated in time' };
const evicted: Reply = {
  code: 421,
  enhanced: '4.7.0',
  text: 'Too many connections that have not authenticated, try again later',
};
const stopping: Reply = { code: 421, enhanced: '4.3.2', text: 'Server is shutting down' };
const tooEarly: Reply = { code: 554, enhanced: '5.5.1', text: 'Wait for the greeting', close: true };

/** The options of the session, and those of the wire. */
export interface ConnectionSettings<User> extends SessionOptions<User> {
  limits: SmtpLimits;
  /** TLS before the greeting. */
  secure: boolean;
  tls_context: SecureContext | undefined;
  /** Delay of the greeting, to refuse clients that talk before it; 0 disables it. */
  early_talker_wait_ms: number;
  data: DataLimits;
  onAuthenticated(): void;
  onClose(): void;
}

/** One client: feeds its lines to the session one by one and carries out the answers. */
export class Connection<User> {
  readonly #settings: ConnectionSettings<User>;
  readonly #session: Session<User>;
  readonly #transport: Transport;
  readonly #reader = new LineReader(maxLine);
  readonly #timeouts: CommandTimeouts;
  #message: DataReader | undefined;
  /** Whether a handler is processing the message, also when the client has disconnected. */
  #isHandedOver = false;
  #unsent = '';
  #isBusy = true;
  #hasEnded = false;
  #isStopping = false;
  #isAuthenticated = false;
  #reason: CloseReason | undefined;

  constructor(socket: Socket, settings: ConnectionSettings<User>) {
    this.#settings = settings;
    this.#session = new Session(settings);
    this.#timeouts = new CommandTimeouts(settings.limits, (waitedFor) =>
      this.#finish('timed_out', waitedFor === 'client' ? timedOut : unauthenticated),
    );
    if (settings.require_auth) this.#timeouts.waitForAuthentication();
    this.#transport = new Transport(socket, {
      onData: (chunk) => this.#take(chunk),
      onEnd: () => this.#end(),
      onDrain: () => this.#pump(),
      onClose: () => this.#closed(),
    });
    void this.#open().catch((error: unknown) => this.#fail(error));
  }

  /** Closes at once, or after the transaction in progress. */
  stop(): void {
    this.#isStopping = true;
    if (!this.#isBusy && !this.#session.in_transaction) this.#finish('server_stopped', stopping);
  }

  /** Closes the connection to make a slot free for another client. */
  evict(): void {
    if (this.#reason !== undefined) return;
    this.#reason = 'evicted';
    this.#letGo();
    this.#transport.dismiss(this.#unsent + formatReply(evicted));
  }

  destroy(): void {
    this.#reason ??= 'server_stopped';
    this.#transport.destroy();
  }

  async #open(): Promise<void> {
    const { log, session, secure, early_talker_wait_ms } = this.#settings;
    log?.({ event: 'opened', session });
    if (secure && !(await this.#startTls())) return;
    if (early_talker_wait_ms > 0) {
      await sleep(early_talker_wait_ms);
      if (this.#reader.buffered > 0) this.#finish('refused', tooEarly);
      if (this.#reason !== undefined) return;
    }
    const answer = await this.#session.greeting();
    if (this.#reason !== undefined) return;
    if (answer.next === 'close') this.#finish('refused', answer);
    else this.#unsent += formatReply(answer);
    this.#isBusy = false;
    this.#pump();
  }

  async #startTls(): Promise<boolean> {
    const { tls_context, limits, log, session } = this.#settings;
    try {
      if (tls_context === undefined) throw new Error('there is no certificate');
      this.#session.secured(await this.#transport.startTls(tls_context, limits.tls_timeout_ms));
      return true;
    } catch (error) {
      log?.({ event: 'tls_failed', session, error });
      this.#reason ??= 'tls_failed';
      this.#transport.destroy();
      return false;
    }
  }

  #take(chunk: Buffer): void {
    if (this.#message !== undefined) this.#timeouts.dataCame();
    this.#reader.push(chunk);
    this.#pump();
    if (this.#reader.buffered > maxAheadBytes || this.#reader.chunks > maxAheadChunks) {
      this.#transport.pause();
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#pump();
  }

  #pump(): void {
    if (this.#isBusy || this.#reason !== undefined) return;
    this.#isBusy = true;
    void this.#work().catch((error: unknown) => this.#fail(error));
  }

  /** Answers the buffered lines one by one. Nothing is awaited between a read that finds nothing and the end. */
  async #work(): Promise<void> {
    while (this.#reason === undefined && !this.#transport.needsDrain) {
      const answering = this.#message === undefined ? this.#nextAnswer() : this.#readMessage(this.#message);
      if (answering === undefined) break;
      const answer = answering instanceof Promise ? await answering : answering;
      this.#obey(answer);
      if (answer.next === 'tls' && this.#reason === undefined) await this.#startTls();
    }
    this.#rest();
    this.#isBusy = false;
  }

  /** Undefined until a whole line has arrived. */
  #nextAnswer(): Answer | Promise<Answer> | undefined {
    const line = this.#reader.nextLine();
    if (line === undefined) return undefined;
    this.#timeouts.commandCame();
    return this.#session.handle(line, this.#reader.buffered > 0);
  }

  /** Undefined until the whole message has arrived. */
  #readMessage(message: DataReader): Promise<Answer> | undefined {
    for (let chunk = this.#reader.nextChunk(); chunk !== undefined; chunk = this.#reader.nextChunk()) {
      const end = message.write(chunk);
      if (end === -1) continue;
      this.#reader.putBack(chunk.subarray(end));
      return this.#handOver(message);
    }
    return undefined;
  }

  async #handOver(message: DataReader): Promise<Answer> {
    this.#timeouts.clear();
    this.#flush();
    this.#isHandedOver = true;
    const answer = await this.#session.message(message.result());
    this.#isHandedOver = false;
    message.release();
    this.#message = undefined;
    return answer;
  }

  #obey(answer: Answer): void {
    if (this.#reason !== undefined) return;
    const { data } = this.#settings;
    if (answer.next === 'close') {
      this.#finish(answer.code === 221 ? 'quit' : 'server_ended', answer);
      return;
    }
    this.#unsent += formatReply(answer);
    if (this.#session.authenticated && !this.#isAuthenticated) this.#noteAuthentication();
    this.#timeouts.noteTransaction(this.#session.in_transaction);
    if (answer.next === 'data') this.#message = new DataReader(data, this.#session.hold);
    if (answer.next === 'tls' || this.#unsent.length > maxUnsent) this.#flush();
    if (answer.next !== 'tls') this.#stopBetweenTransactions();
  }

  #noteAuthentication(): void {
    this.#isAuthenticated = true;
    this.#timeouts.authenticated();
    this.#settings.onAuthenticated();
  }

  /** Waits until the client sends more. */
  #rest(): void {
    if (this.#reason !== undefined) return;
    this.#flush();
    if (!this.#transport.needsDrain) {
      this.#stopBetweenTransactions();
      if (this.#hasEnded) this.#finish('client_left');
      if (this.#reason !== undefined) return;
      this.#transport.resume();
    }
    if (this.#message === undefined) this.#timeouts.waitForCommand();
    else this.#timeouts.waitForData();
  }

  #stopBetweenTransactions(): void {
    if (this.#isStopping && !this.#session.in_transaction) this.#finish('server_stopped', stopping);
  }

  #flush(): void {
    if (this.#unsent !== '') this.#transport.write(this.#unsent);
    this.#unsent = '';
  }

  #finish(reason: CloseReason, reply?: Reply): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#letGo();
    this.#transport.finish(reply === undefined ? this.#unsent : this.#unsent + formatReply(reply));
  }

  /** Reached only when a handler breaks its contract: closes this connection, not the server. */
  #fail(error: unknown): void {
    this.#settings.log?.({ event: 'handler_failed', session: this.#settings.session, error });
    this.#reason ??= 'server_ended';
    this.#transport.destroy();
  }

  #letGo(): void {
    this.#timeouts.end();
    this.#reader.clear();
    if (!this.#isHandedOver) this.#message?.release();
  }

  #closed(): void {
    this.#reason ??= 'client_left';
    this.#letGo();
    this.#settings.log?.({ event: 'closed', session: this.#settings.session, reason: this.#reason });
    this.#settings.onClose();
  }
}
