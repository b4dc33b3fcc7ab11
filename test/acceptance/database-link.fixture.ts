import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

export interface DatabaseLink {
  /** The database as reached through the link. */
  database: TestDatabase;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** The next answer of the server for which this is true is lost, with its connection. */
  loseAnswer(isIt: (bytes: Buffer) => boolean): { isLost: () => boolean };
  stop(): Promise<void>;
}

const port = 5432;

/** A test database behind a Unix socket that a test can take away and put back. */
export async function createDatabaseLink(): Promise<DatabaseLink> {
  const real = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-link-'));
  const url = new URL(real.url);
  url.searchParams.set('host', folder);
  url.searchParams.set('port', String(port));
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let toLose: ((bytes: Buffer) => boolean) | undefined;

  const link: DatabaseLink = {
    database: {
      connection: { ...real.connection, host: folder, port },
      url: url.href,
      drop: async () => await real.drop(),
    },
    async mend() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server = createServer((near) => {
        const far = connect(`${real.connection.host}/.s.PGSQL.${real.connection.port}`);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
        }
        near.pipe(far);
        far.on('data', (bytes: Buffer) => {
          if (toLose?.(bytes) === true) {
            toLose = undefined;
            near.destroy();
          } else near.write(bytes);
        });
      });
      server.listen(path.join(folder, `.s.PGSQL.${port}`), resolve);
      await promise;
    },
    loseAnswer(isIt) {
      toLose = isIt;
      return { isLost: () => toLose !== isIt };
    },
    async cut() {
      const closed = Promise.withResolvers<void>();
      server?.close(() => closed.resolve());
      for (const socket of sockets) socket.destroy();
      await closed.promise;
    },
    async stop() {
      await link.cut();
      await real.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await link.mend();
  return link;
}
