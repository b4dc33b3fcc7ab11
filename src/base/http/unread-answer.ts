import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

interface TimedServer extends Server {
  setTimeout(ms: number, onTimeout: (socket: Socket) => void): this;
}

/**
 * Breaks the connection of a client that takes nothing of its answer for `within_ms`. Node.js has no such limit. Its
 * timeout of the socket counts what the system takes as activity, so that a large piece on a slow line is not cut; an
 * answer of which nothing is waiting to be sent is still being made, and is waited for. The timeout is the server's, so
 * that an answer needs no listener of its own. Gives what has to see each answer when it begins.
 */
export function endUnread(server: TimedServer, within_ms: number): (answer: ServerResponse) => void {
  const latest = new WeakMap<Socket, ServerResponse>();
  server.setTimeout(within_ms, (socket) => {
    const answer = latest.get(socket);
    const isBeingMade = answer && !answer.writableFinished && answer.writableLength === 0;
    if (isBeingMade) socket.setTimeout(within_ms);
    else socket.destroy();
  });
  return (answer) => {
    if (answer.socket) latest.set(answer.socket, answer);
  };
}
