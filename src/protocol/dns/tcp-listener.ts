import type { Server, Socket } from 'node:net';
import { networkOf } from '../address/source-network.ts';
import { Counts } from '../counts.ts';
import { serveTcpConnection } from './tcp-connection.ts';
import type { AnswerTcp, TcpConnectionLimits } from './tcp-connection.ts';

export interface TcpLimits extends TcpConnectionLimits {
  max_connections: number;
  /** From one network as the rate limit counts them, so that one network cannot hold all. */
  max_connections_per_source: number;
}

/** Admits connections within the limits; the function returned ends all of them. */
export function serveTcp(server: Server, answer: AnswerTcp, limits: TcpLimits): () => void {
  const connections = new Set<Socket>();
  const byNetwork = new Counts<string>();
  const hasRoomFor = (network: string): boolean =>
    byNetwork.total < limits.max_connections && byNetwork.of(network) < limits.max_connections_per_source;

  server.on('connection', (socket) => {
    // Without an address the other side is already gone.
    const network = socket.remoteAddress === undefined ? undefined : networkOf(socket.remoteAddress);
    if (network === undefined || !hasRoomFor(network)) {
      socket.destroy();
      return;
    }
    connections.add(socket);
    byNetwork.add(network);
    socket.on('close', () => {
      connections.delete(socket);
      byNetwork.remove(network);
    });
    serveTcpConnection(socket, answer, limits);
  });
  return () => {
    for (const socket of connections) socket.destroy();
  };
}
