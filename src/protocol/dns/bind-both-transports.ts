import { createSocket } from 'node:dgram';
import type { Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { Server } from 'node:net';

export interface Transports {
  udp: UdpSocket;
  tcp: Server;
  port: number;
}

const freePortAttempts = 10;

/** UDP and TCP on the same port. Port 0 is any port that is free in both, which may take several tries. */
export async function bindBothTransports({
  host,
  port,
}: {
  host: string;
  port: number;
}): Promise<Transports> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await bindOnce(host, port);
    } catch (error) {
      if (port !== 0 || attempt === freePortAttempts || !isPortTaken(error)) throw error;
    }
  }
}

/** TCP last: from then on no event passes before the caller attaches its listeners, and no connection is lost. */
async function bindOnce(host: string, port: number): Promise<Transports> {
  const udp = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  // Half-open: a client may send its queries, close its side and read the answers.
  const tcp = createServer({ allowHalfOpen: true });
  try {
    udp.bind({ address: host, port });
    await once(udp, 'listening');
    tcp.listen({ host, port: udp.address().port });
    await once(tcp, 'listening');
  } catch (error) {
    udp.close();
    throw error;
  }
  return { udp, tcp, port: udp.address().port };
}

export async function closeTransports({ udp, tcp }: Transports): Promise<void> {
  const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
  udp.close();
  tcp.close();
  await closed;
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
