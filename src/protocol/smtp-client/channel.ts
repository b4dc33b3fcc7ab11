import type { Socket } from 'node:net';
import { socketFailure } from './connect-socket.ts';
import { Deadline } from '../deadline.ts';
import type { ClientLog } from './log.ts';
import type { ConnectionFailure, Phase, ReplyOutcome } from './outcome.ts';
import { ReplyReader } from './reply-reader.ts';
import { isRefusal, replyOutcome, type Reply } from './reply.ts';
import type { Timeouts } from './timeouts.ts';
import { Upload } from './upload.ts';

/** Why the server's answers stopped coming: the connection failed, or it said 421 and so ended the session. */
export type Failure = ConnectionFailure | ReplyOutcome;

export interface Exchange {
  /** In the order of the phases, as far as they came. */
  replies: Reply[];
  failure: Failure | undefined;
}

export interface ChannelOptions {
  timeouts: Timeouts;
  signal: AbortSignal | undefined;
  log: ClientLog | undefined;
}

interface Pending {
  phases: readonly Phase[];
  replies: Reply[];
  resolve: (exchange: Exchange) => void;
}

/** SERVICE NOT AVAILABLE, which may come at any time, and after which the server closes (RFC 5321 §3.8). */
const goodbye = 421;

/** Commands and their replies over one connection. It never throws for what the server does, and ends but once. */
export class Channel {
  readonly closed: Promise<ConnectionFailure>;
  readonly #options: ChannelOptions;
  readonly #reader = new ReplyReader();
  readonly #resolveClosed: (failure: ConnectionFailure) => void;
  #socket: Socket;
  #upload: Upload | undefined;
  #pending: Pending | undefined;
  #failure: ConnectionFailure | undefined;
  readonly #reply = new Deadline((ms) => this.fail('timeout', `no reply within ${ms} ms`));
  readonly #whole = new Deadline((ms) => this.fail('timeout', `not done within ${ms} ms`));
  /** Bytes that came with the STARTTLS reply: a man in the middle may have injected them. */
  #deaf = false;

  constructor(socket: Socket, options: ChannelOptions) {
    const { promise, resolve } = Promise.withResolvers<ConnectionFailure>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    this.#options = options;
    this.#socket = socket;
    this.#attach(socket);
    options.signal?.addEventListener('abort', this.#onAbort);
    if (options.signal?.aborted === true) this.#onAbort();
  }

  get failure(): ConnectionFailure | undefined {
    return this.#failure;
  }

  get busy(): boolean {
    return this.#pending !== undefined;
  }

  /** Writes, and waits for one reply to each phase. A list of Buffers is written as fast as the server takes it. */
  exchange(phases: readonly Phase[], bytes: string | readonly Buffer[]): Promise<Exchange> {
    const [phase] = phases;
    if (phase === undefined || this.busy) throw new Error('the session is busy');
    if (this.#failure !== undefined) {
      return Promise.resolve({ replies: [], failure: { ...this.#failure, phase } });
    }
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    this.#pending = { phases, replies: [], resolve };
    if (typeof bytes === 'string') this.#writeCommands(bytes, phase);
    else this.#upload = new Upload(this.#socket, bytes);
    this.#arm(phase);
    return promise;
  }

  /** Bounds all exchanges until it is called again or a message has been sent; undefined lifts the bound. */
  limit(ms: number | undefined): void {
    if (ms === undefined) this.#whole.lift();
    else this.#whole.set(ms);
  }

  /** Hands the socket over for a TLS handshake. Nothing that was read from it before counts any more. */
  release(): Socket {
    this.#detach(this.#socket);
    this.#reader.clear();
    return this.#socket;
  }

  adopt(socket: Socket): void {
    this.#deaf = false;
    this.#socket = socket;
    this.#attach(socket);
    // Called off while the handshake was on.
    if (this.#failure !== undefined) socket.destroy();
  }

  fail(kind: ConnectionFailure['kind'], message: string, phase = this.#phase): void {
    this.#end({ kind, phase, message });
  }

  /** While nothing is asked, the next thing to be will be MAIL. */
  get #phase(): Phase {
    return this.#pending?.phases[this.#pending.replies.length] ?? 'mail';
  }

  #writeCommands(lines: string, phase: Phase): void {
    const { log } = this.#options;
    // Credentials are not logged.
    const shown = (): string[] => (phase === 'auth' ? ['AUTH …'] : lines.split('\r\n').slice(0, -1));
    if (log) for (const line of shown()) log({ event: 'command', line });
    if (lines !== '') this.#socket.write(lines);
  }

  #attach(socket: Socket): void {
    socket.on('data', this.#onData).on('drain', this.#onDrain);
    socket.on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onError);
  }

  #detach(socket: Socket): void {
    socket.off('data', this.#onData).off('drain', this.#onDrain);
    socket.off('end', this.#onEnd).off('close', this.#onEnd).off('error', this.#onError);
  }

  readonly #onAbort = (): void => this.fail('aborted', 'the session was called off');
  readonly #onEnd = (): void => this.fail('closed', 'the server closed the connection');
  readonly #onError = (error: Error): void => this.#end(socketFailure(error, this.#phase));

  readonly #onDrain = (): void => {
    if (this.#upload === undefined || this.#upload.done) return;
    this.#upload.proceed();
    this.#arm('body');
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#deaf) return;
    const { replies, fault } = this.#reader.read(chunk);
    for (const reply of replies) {
      this.#onReply(reply);
      if (this.#failure !== undefined || this.#deaf) return;
    }
    if (fault !== undefined) this.fail('protocol', fault);
  };

  #onReply(reply: Reply): void {
    const phase = this.#phase;
    this.#options.log?.({ event: 'reply', phase, ...reply });
    if (reply.code === goodbye || this.#pending === undefined) {
      this.#onUnexpectedReply(reply);
      return;
    }
    const { phases, replies } = this.#pending;
    const unsent = this.#upload?.done === false;
    if (unsent && !isRefusal(reply)) {
      this.fail('protocol', `${reply.code} before the end of the message`);
      return;
    }
    replies.push(reply);
    const next = phases[replies.length];
    if (next !== undefined) {
      this.#arm(next);
      return;
    }
    this.#deaf = phase === 'starttls';
    this.#settle(undefined);
    // The server would read what is left of the message as commands.
    if (unsent) this.fail('closed', 'the server refused the message before its end', phase);
  }

  #onUnexpectedReply(reply: Reply): void {
    const phase = this.#phase;
    const outcome = replyOutcome(reply, phase);
    const said = `${reply.code} ${outcome.text}`;
    if (reply.code === goodbye) this.#settle(outcome);
    if (reply.code === goodbye) this.fail('closed', `the server ended the session: ${said}`, phase);
    else this.fail('protocol', `a reply to nothing: ${said}`);
  }

  #arm(phase: Phase): void {
    const { timeouts } = this.#options;
    this.#reply.set(this.#upload?.done === false ? timeouts.block : timeouts[phase]);
    // Whatever the rest took: to give up now may be to send it twice.
    if (this.#upload?.done === true) this.#whole.lift();
  }

  #settle(failure: Failure | undefined): void {
    this.#reply.lift();
    const pending = this.#pending;
    this.#pending = undefined;
    this.#upload = undefined;
    pending?.resolve({ replies: pending.replies, failure });
  }

  #end(failure: ConnectionFailure): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#socket.destroy();
    this.#settle(failure);
    this.#reply.end();
    this.#whole.end();
    this.#options.log?.({ event: 'closed', failure });
    this.#resolveClosed(failure);
  }
}
