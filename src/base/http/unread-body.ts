import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** How much more of a refused body is taken off the wire, and for how long, before the connection is cut. */
const most_discarded = 64 * 1024 * 1024;
const longest_ms = 10_000;

/** Connections whose request is answered already, though not all of it has arrived. */
const answered = new WeakSet<Duplex>();

export function isAnswered(connection: Duplex): boolean {
  return answered.has(connection);
}

/**
 * Reads on, into nothing, after a request was answered before all of it had arrived. Closing at once would make the
 * kernel reset the connection because of the unread bytes, and a client that is still sending would lose the answer
 * with it (RFC 9112 §9.6).
 */
export function discardUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  answered.add(socket);
  let left = most_discarded;
  const cut = (): void => void socket.destroy();
  const timer = setTimeout(cut, longest_ms).unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.on('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => {
    clearTimeout(timer);
    answered.delete(socket);
  });
  request.resume();
}
