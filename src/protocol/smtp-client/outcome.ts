/** What the session was about when something happened. `body` is all that comes after DATA was answered with 354. */
export type Phase =
  | 'connect'
  | 'greeting'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'rset'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body'
  | 'quit';

/** The server answered. */
export interface ReplyOutcome {
  kind: 'reply';
  phase: Phase;
  code: number;
  /** RFC 3463, such as `5.1.1`, when the reply begins with one. */
  enhanced_code: string | undefined;
  /** The lines joined by blanks, without the codes before them and without control characters. */
  text: string;
}

/**
 * The connection ended, could not be made, or is of no use. A failure at phase `starttls` says nothing about the
 * server without TLS; whether to try that is the caller's choice.
 */
export interface ConnectionFailure {
  kind: 'timeout' | 'closed' | 'refused' | 'unreachable' | 'tls' | 'protocol' | 'aborted';
  phase: Phase;
  message: string;
  /** Of the system or the TLS library, such as `EADDRNOTAVAIL`. */
  error_code?: string | undefined;
}

/** The server cannot take this message, as its answer to EHLO shows; the message was not sent to it. */
export interface Unsupported {
  kind: 'eight_bit_unsupported' | 'smtputf8_unsupported' | 'too_big';
  phase: 'mail';
  message: string;
}

export type Outcome = ReplyOutcome | ConnectionFailure | Unsupported;

/** Whether the server took responsibility for the message. */
export function isAccepted(outcome: Outcome): boolean {
  return outcome.kind === 'reply' && outcome.phase === 'body' && outcome.code < 300;
}
