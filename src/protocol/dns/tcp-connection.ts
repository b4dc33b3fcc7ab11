import type { Socket } from 'node:net';

export interface TcpConnectionLimits {
  /** Time for a client to send one whole query, counted again from each; trickled bytes do not prolong it. */
  idle_timeout_ms: number;
  max_query_bytes: number;
  /** Queries of one connection answered at the same time; the rest waits unread. */
  max_pipelined: number;
}

export type AnswerTcp = (packet: Buffer) => Promise<Buffer | undefined>;

const smallestQuery = 12;

/** Length-prefixed queries, answered as they get ready (RFC 7766 §6.2.1.1 and §7: the id tells them apart). */
export function serveTcpConnection(socket: Socket, answer: AnswerTcp, limits: TcpConnectionLimits): void {
  let received: Buffer = Buffer.alloc(0);
  let inFlight = 0;
  let ended = false;
  const idle = setTimeout(() => socket.destroy(), limits.idle_timeout_ms);

  function takeFrame(): Buffer | undefined {
    if (received.length < 2) return undefined;
    const length = received.readUInt16BE(0);
    if (length < smallestQuery || length > limits.max_query_bytes) {
      socket.destroy();
      return undefined;
    }
    if (received.length < 2 + length) return undefined;
    const frame = received.subarray(2, 2 + length);
    received = received.subarray(2 + length);
    return frame;
  }

  function advance(): void {
    while (!socket.destroyed && !isBusy()) {
      const frame = takeFrame();
      if (frame === undefined) break;
      idle.refresh();
      inFlight += 1;
      void reply(frame);
    }
    if (socket.destroyed) return;
    if (isBusy()) socket.pause();
    else if (ended && inFlight === 0) socket.end();
    else socket.resume();
  }

  function isBusy(): boolean {
    return inFlight >= limits.max_pipelined || socket.writableNeedDrain;
  }

  async function reply(frame: Buffer): Promise<void> {
    try {
      const packet = await answer(frame);
      if (packet !== undefined && socket.writable) socket.write(framed(packet));
    } catch {
      // The server reports its own mistakes; all this connection can do about one is end.
      socket.destroy();
    } finally {
      inFlight -= 1;
      advance();
    }
  }

  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    advance();
  });
  socket.on('drain', advance);
  socket.on('end', () => {
    ended = true;
    advance();
  });
  // A reset by the other side is an ordinary way for a connection to end; `close` follows.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(idle));
}

function framed(packet: Buffer): Buffer {
  const prefix = Buffer.alloc(2);
  prefix.writeUInt16BE(packet.length);
  return Buffer.concat([prefix, packet]);
}
