import type { Capabilities } from './capabilities.ts';
import type { Channel, Failure } from './channel.ts';
import type { ConnectionFailure, Outcome, Unsupported } from './outcome.ts';
import { isPositive, replyOutcome } from './reply.ts';
import type { TlsInfo } from './secure-socket.ts';
import { transact } from './transaction.ts';

export interface OutboundMessage {
  /** Empty for a message that must not bounce. */
  mail_from: string;
  rcpt_to: readonly string[];
  /** Octets of the message without the dots added for the wire (RFC 1870 §5). */
  size: number;
  /** Whether any octet of the message is above 127. */
  eight_bit: boolean;
  /** Whether an address or a header field is outside ASCII (RFC 6531). */
  smtputf8: boolean;
  /** As `stuffDots` gives it. */
  data: Buffer | readonly Buffer[];
  /** Asked once the server waits for the message, which cannot be taken back: false closes the connection instead. */
  confirm?: () => Promise<boolean>;
}

export interface SessionFacts {
  capabilities: Capabilities;
  /** Undefined when the session is not encrypted. */
  tls: TlsInfo | undefined;
  remote_address: string;
  local_address: string;
  /** For one message up to its dot. */
  transaction_timeout_ms: number;
}

/** A greeted server, ready for messages, one after the other. */
export class Session {
  readonly kind = 'session';
  readonly capabilities: Capabilities;
  readonly tls: TlsInfo | undefined;
  readonly remote_address: string;
  readonly local_address: string;
  /** Settles when the connection is over, with what ended it; at once noticed while the session waits for work. */
  readonly closed: Promise<ConnectionFailure>;
  readonly #channel: Channel;
  readonly #timeout: number;
  #transactions = 0;
  #resetFirst = false;

  constructor(channel: Channel, facts: SessionFacts) {
    this.#channel = channel;
    this.#timeout = facts.transaction_timeout_ms;
    this.closed = channel.closed;
    this.capabilities = facts.capabilities;
    this.tls = facts.tls;
    this.remote_address = facts.remote_address;
    this.local_address = facts.local_address;
  }

  /** False once the server said 421 or the connection failed. */
  get reusable(): boolean {
    return this.#channel.failure === undefined;
  }

  /** Messages begun on this connection. */
  get transactions(): number {
    return this.#transactions;
  }

  /** Gives one outcome for each recipient, in their order. One message at a time. */
  async send(message: OutboundMessage): Promise<Outcome[]> {
    if (this.#channel.busy) throw new Error('the session is busy');
    const { rcpt_to, data, confirm } = message;
    const mail = `MAIL FROM:${path(message.mail_from)}${this.#parameters(message)}\r\n`;
    const rcpt = rcpt_to.map((address) => `RCPT TO:${path(address)}\r\n`);
    const obstacle = this.#obstacle(message);
    if (obstacle !== undefined) return rcpt.map(() => obstacle);
    if (rcpt.length === 0) return [];
    this.#transactions += 1;
    this.#channel.limit(this.#timeout);
    const chunks = Buffer.isBuffer(data) ? [data] : data;
    const transaction = { reset_first: this.#resetFirst, mail, rcpt, data: chunks, confirm };
    const pipelining = this.capabilities.offers('PIPELINING');
    const { outcomes, finished } = await transact(this.#channel, transaction, pipelining);
    this.#channel.limit(undefined);
    this.#resetFirst = !finished;
    return outcomes;
  }

  /** Has the server forget what a failed message left behind. `send` does so itself when there is need. */
  async reset(): Promise<Failure> {
    const outcome = await this.#command('rset', 'RSET\r\n');
    this.#resetFirst &&= outcome.kind !== 'reply' || outcome.code >= 300;
    return outcome;
  }

  /** Takes leave in good order, and closes whatever the server answers. */
  async quit(): Promise<Failure> {
    const outcome = await this.#command('quit', 'QUIT\r\n');
    this.#channel.fail('closed', 'the session was ended', 'quit');
    return outcome;
  }

  /** Closes at once. A message under way gets failures of kind `aborted`. */
  destroy(): void {
    this.#channel.fail('aborted', 'the session was ended');
  }

  async #command(phase: 'rset' | 'quit', line: string): Promise<Failure> {
    const { replies, failure } = await this.#channel.exchange([phase], line);
    const [reply] = replies;
    if (reply === undefined) return failure ?? { kind: 'protocol', phase, message: 'no reply' };
    if (!isPositive(reply)) this.#channel.fail('protocol', `unexpected reply: ${reply.code}`, phase);
    return replyOutcome(reply, phase);
  }

  /** Only what was offered may be used (RFC 5321 §2.2.1), and only what the message needs is. */
  #parameters({ size, eight_bit, smtputf8 }: OutboundMessage): string {
    const sizeParameter = this.capabilities.offers('SIZE') ? ` SIZE=${size}` : '';
    return `${sizeParameter}${eight_bit ? ' BODY=8BITMIME' : ''}${smtputf8 ? ' SMTPUTF8' : ''}`;
  }

  #obstacle({ size, eight_bit, smtputf8 }: OutboundMessage): Unsupported | undefined {
    const { size_limit: limit = Infinity } = this.capabilities;
    if (size > limit) return unsupported('too_big', `${size} octets, where the server takes ${limit}`);
    if (smtputf8 && !this.capabilities.offers('SMTPUTF8')) {
      return unsupported('smtputf8_unsupported', 'the server does not offer SMTPUTF8');
    }
    if (!eight_bit || this.capabilities.offers('8BITMIME')) return undefined;
    return unsupported('eight_bit_unsupported', 'the server does not offer 8BITMIME');
  }
}

function unsupported(kind: Unsupported['kind'], message: string): Unsupported {
  return { kind, phase: 'mail', message };
}

/** The address was validated on input; this is the last check against command injection. */
function path(address: string): string {
  if (/[\r\n\0]/.test(address)) throw new TypeError('an address with a line end');
  return `<${address}>`;
}
