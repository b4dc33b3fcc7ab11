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
  /** From now on the server keeps its connections and is silent, like a process that was stopped (SIGSTOP). */
  freeze(): void;
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
  let isFrozen = false;
  let toLose: ((bytes: Buffer) => boolean) | undefined;

  const link: DatabaseLink = {
    database: {
      connection: { ...real.connection, host: folder, port },
      url: url.href,
      drop: async () => await real.drop(),
    },
    async mend() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server = createServer({ allowHalfOpen: true }, (near) => {
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
        near.on('data', (bytes: Buffer) => void (isFrozen || far.write(bytes)));
        near.on('end', () => void (isFrozen || far.end()));
        far.on('data', (bytes: Buffer) => {
          if (isFrozen) return;
          if (toLose?.(bytes) === true) {
            toLose = undefined;
            near.destroy();
          } else near.write(bytes);
        });
      });
      server.listen(path.join(folder, `.s.PGSQL.${port}`), resolve);
      await promise;
    },
    freeze() {
      isFrozen = true;
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
