import type { MailParameters } from './mail-parameters.ts';
import type { Mailbox } from './mailbox-path.ts';
import type { Reply } from './reply.ts';

export interface Peer {
  address: string;
  port: number;
}

export interface TlsDetails {
  protocol: string;
  cipher: string;
  servername: string | undefined;
}

/** The state of a session. The object lives as long as the session and changes with it. */
export interface SessionInfo {
  /** Counts up from 1 within one server. */
  readonly id: number;
  readonly peer: Peer;
  tls: TlsDetails | undefined;
  /** The name of the last EHLO or HELO, unverified; empty before. */
  helo: string;
  /** The `with` of a Received header (RFC 3848, RFC 6531 §4.3). */
  protocol: string;
}

export interface Credentials {
  username: string;
  password: string;
  session: SessionInfo;
}

/** A refusal without a reply is 535 5.7.8. One with a 4xx reply does not count as a wrong password. */
export type AuthResult<User> = { ok: true; user: User } | { ok: false; reply?: Reply };

export interface Envelope {
  /** Undefined is the null reverse path of a bounce. */
  from: Mailbox | undefined;
  recipients: Mailbox[];
  parameters: MailParameters;
  /** For the handlers: what they know of the message so far. */
  notes: unknown;
}

export interface MailCommand<User> {
  from: Mailbox | undefined;
  parameters: MailParameters;
  user: User | undefined;
  session: SessionInfo;
}

export interface RcptCommand<User> {
  to: Mailbox;
  /** Recipients accepted before this one. */
  count: number;
  envelope: Envelope;
  user: User | undefined;
  session: SessionInfo;
}

export interface ReceivedMessage<User> {
  envelope: Envelope;
  /** The message without stuffed dots and without the final dot; every line ends with CRLF. The handler may empty the array. */
  data: Buffer[];
  size: number;
  user: User | undefined;
  session: SessionInfo;
}

/** Undefined, or a 250, accepts; any other reply refuses. */
export type Verdict = Reply | undefined;

/**
 * The policy of a server. A handler that throws causes a temporary failure: 451 4.3.0, for AUTH 454 4.7.0, for a
 * connection 421 4.3.0.
 */
export interface SmtpHandlers<User> {
  onConnect?(session: SessionInfo): Verdict | Promise<Verdict>;
  /** Without it AUTH is not offered. */
  onAuth?(credentials: Credentials): AuthResult<User> | Promise<AuthResult<User>>;
  onMail?(mail: MailCommand<User>): Verdict | Promise<Verdict>;
  onRcpt?(rcpt: RcptCommand<User>): Verdict | Promise<Verdict>;
  /** The reply is sent when this resolves. */
  onMessage(message: ReceivedMessage<User>): Reply | Promise<Reply>;
}
