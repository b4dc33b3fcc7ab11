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

/** The error as it is, or as a ConnectionLost when it means that the server could not be talked to. */
export function tellLoss(error: unknown): Error {
  const given = error as Error;
  return messages.test(given.message) ? new ConnectionLost(given.message, given) : given;
}
