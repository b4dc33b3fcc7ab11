/** `pg` gives these no code: connecting took too long, or the connection went away or was closed under the statement. */
const messages =
  /^(timeout expired|timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** SQLSTATE 08006, connection_failure: whether a statement under way was done is unknown. */
export class ConnectionLost extends Error {
  readonly code = '08006';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionLost';
  }
}

/** The connection was lost after a transaction was sent whole and before it was answered: it may stand. */
export class OutcomeUnknown extends ConnectionLost {}

/** Whether the server itself said that the statement failed. FATAL and PANIC end the session, whatever it had done. */
export function isRefusal(error: unknown): boolean {
  return (error as { severity?: unknown }).severity === 'ERROR';
}

/** The error as it is, or as a ConnectionLost when it means that the server could not be talked to. */
export function tellLoss(error: unknown): Error {
  const given = error as Error;
  if (given instanceof ConnectionLost) return given;
  return messages.test(given.message) ? new ConnectionLost(given.message, given) : given;
}

/**
 * The session can do no more than it just did: its connection or its server ends (08, 57P), it began on a server that
 * took no writes and stays read-only after a failover (25006), or what it has prepared is gone or gives other columns
 * since a migration (26000, 0A000). Only a new session helps.
 */
const spent = /^(08|57P|25006|26000|0A000)/;

export function isSessionSpent(error: unknown): boolean {
  return spent.test(String((error as { code?: unknown }).code));
}
