import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  base_url: string;
  /** Connections that ended in place of an answer. */
  readonly cuts: number;
  stop(): Promise<void>;
}

/**
 * Passes requests on, and ends the connection in place of an answer: the work is done, and its caller cannot know. All answers are
 * cut, or the first ones.
 */
export async function startCuttingProxy(
  to: string,
  { answers = Infinity }: { answers?: number } = {},
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    near.pipe(far);
    far.on('data', (bytes) => {
      if (cuts >= answers) {
        near.write(bytes);
        return;
      }
      cuts += 1;
      end();
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get cuts() {
      return cuts;
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
