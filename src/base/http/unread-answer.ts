import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Looks a limit: a client is cut off after it, and at most a quarter of it later. */
const looks = 4;

/**
 * Breaks the connection of a client that takes nothing of its answer for `within_ms`. Node.js has no such limit. Its timeout of
 * the socket counts what the system takes as activity, so that a large piece on a slow line is not cut. The timeout is
 * set where an answer waits to be sent: one on every socket took 1 % of a send.
 */
export function endUnread(server: Server, within_ms: number): void {
  const sockets = new Set<Socket>();
  let watch: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const socket of sockets)
      if (socket.writableLength > 0 && socket.timeout !== within_ms) socket.setTimeout(within_ms);
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      clearInterval(watch);
      watch = undefined;
    });
    watch ??= setInterval(look, within_ms / looks).unref();
  });
  server.on('timeout', (socket: Socket) => {
    // The rest of this answer is still being made. Between two requests Node.js has set another timeout.
    if (socket.timeout === within_ms && socket.writableLength === 0) socket.setTimeout(0);
    else socket.destroy();
  });
}
