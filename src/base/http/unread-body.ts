import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { TokenBucket } from '../../protocol/token-bucket.ts';

const mebibyte = 1024 * 1024;

/** How much more of a refused body is taken off the wire, and for how long, before the connection is cut. */
const maxDiscarded = 64 * mebibyte;
const maxMs = 10_000;

/**
 * Of all refused bodies together. Read as fast as they come, 180 bodies of 12 MB had other callers wait for up to 10 s,
 * since each turn of the loop took 2 MB from each of their connections.
 */
const discarded = new TokenBucket({ per_second: 64 * mebibyte, burst: 4 * mebibyte }, 0);
/** What is over soon is not held up. */
const unpacedBytes = 64 * 1024;

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
export function discardUnread(request: IncomingMessage, pace = discarded): void {
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  answered.add(socket);
  // Of a client that asked to close the connection, only our half is closed until its body has ended.
  socket.destroySoon = () => void socket.end();
  let read = 0;
  const cut = (): void => void socket.destroy();
  const timer = setTimeout(cut, maxMs).unref();
  request.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > maxDiscarded) cut();
    const now = performance.now();
    pace.overdraw(chunk.length, now);
    const wait = pace.waitMs(0, now);
    if (wait === 0 || read <= unpacedBytes) return;
    request.pause();
    setTimeout(() => request.resume(), wait).unref();
  });
  request.on('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => {
    clearTimeout(timer);
    answered.delete(socket);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (socket.writableEnded) socket.destroySoon();
  });
  request.resume();
}
