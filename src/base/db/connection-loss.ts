import { problemFromError } from '../errors/from-error.ts';

/** `pg` errors without a code: connect timeout, or the connection was lost or closed during a statement. */
const messages =
  /^(timeout expired|timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** SQLSTATE 08006, connection_failure: whether the running statement took effect is unknown. */
export class ConnectionLost extends Error {
  readonly code = '08006';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionLost';
  }
}

/** The connection was lost after a whole transaction was sent and before its answer: it may be committed. */
export class OutcomeUnknown extends ConnectionLost {}

/** Whether the server answered that the statement failed. After FATAL and PANIC its effect is unknown. */
export function isRefusal(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR';
}

/** Converts driver errors that mean a lost connection; returns others unchanged. */
export function asConnectionLoss(error: unknown): Error {
  const given = error as Error;
  if (given instanceof ConnectionLost) return given;
  return messages.test(given.message) ? new ConnectionLost(given.message, given) : given;
}

/**
 * For the failure to open a connection, whatever it was: no statement ran, and a later attempt may succeed. Beside the states of a
 * server that starts, these are logins and TLS handshakes that a proxy refuses during a failover, for which drivers have no code.
 */
export function asUnreachable(error: unknown): Error {
  const converted = asConnectionLoss(error);
  const isKnown = problemFromError(converted)?.code === 'service_unavailable';
  return isKnown ? converted : new ConnectionLost(converted.message, converted);
}

/**
 * Errors after which only a new session helps: the connection or server ended (08, 57P), the session is still read-only
 * after a failover (25006), or its prepared statements are gone or outdated by a migration (26000, 0A000).
 */
const unusable = /^(08|57P|25006|26000|0A000)/;

export function isSessionUnusable(error: unknown): boolean {
  return unusable.test(String((error as { code?: unknown }).code));
}
