import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../../../src/base/db/database.ts';
import { databaseUrl } from './fault-database.ts';

export interface CutRule {
  /** Of an answer that is whole and whose transaction is over: the tags of its statements, such as `COPY 3` or `COMMIT`. */
  isCut: (tags: string[]) => boolean;
}

export interface DatabaseProxy {
  connection: ConnectionSettings;
  url: string;
  rule: CutRule;
  /** Connections that ended in place of an answer. */
  cuts: number;
  /** Before each answer. */
  delay_ms: number;
  /** From now on nothing gets through in either direction, until what it gives is called. */
  hold(): () => void;
  /** Ends all connections. */
  cut(): void;
  /** Ends all connections; those that come from now on lead to another server. */
  moveTo(next: ConnectionSettings): void;
  stop(): Promise<void>;
}

const port = 5432;

/**
 * Stands between a service and PostgreSQL and ends a connection in place of an answer: what was
 * asked for is done, and the client cannot know.
 */
export async function startDatabaseProxy(first: ConnectionSettings): Promise<DatabaseProxy> {
  let to = first;
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-proxy-'));
  await chmod(folder, 0o755);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(`${to.host}/.s.PGSQL.${to.port}`);
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
    relay(near, far, () => held?.promise);
    const read = createAnswerReader();
    relay(far, near, (chunk) => {
      if (!read(chunk).some((tags) => proxy.rule.isCut(tags))) return slowed();
      proxy.cuts += 1;
      end();
      return undefined;
    });
  });
  let held: PromiseWithResolvers<void> | undefined;
  const slowed = (): Promise<void> | undefined =>
    proxy.delay_ms === 0 ? held?.promise : sleep(proxy.delay_ms).then(async () => await held?.promise);
  const listening = Promise.withResolvers<void>();
  server.listen(path.join(folder, `.s.PGSQL.${port}`), listening.resolve);
  await listening.promise;
  const connection = { ...first, host: folder, port };
  const proxy: DatabaseProxy = {
    connection,
    url: databaseUrl(connection),
    rule: { isCut: () => false },
    cuts: 0,
    delay_ms: 0,
    hold() {
      const { promise, resolve } = (held ??= Promise.withResolvers<void>());
      return () => {
        if (held?.promise === promise) held = undefined;
        resolve();
      };
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    moveTo(next) {
      to = next;
      proxy.cut();
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return proxy;
}

/** Passes on what comes, in its order, each piece once what `gate` gives has settled. */
function relay(from: Socket, to: Socket, gate: (chunk: Buffer) => Promise<void> | undefined): void {
  let last: Promise<void> | undefined;
  from.on('data', (chunk: Buffer) => {
    const wait = gate(chunk);
    if (last === undefined && wait === undefined) {
      to.write(chunk);
      return;
    }
    const turn: Promise<void> = Promise.all([last, wait]).then(() => {
      to.write(chunk);
      if (last === turn) last = undefined;
    });
    last = turn;
  });
}

/**
 * Takes the stream from the server apart: each message is a byte for its kind, four for its length, and the rest. `C` ends
 * a statement and `Z` an answer; its last byte is `I` outside of transactions. (PostgreSQL documentation, Message Formats.)
 */
function createAnswerReader(): (chunk: Buffer) => string[][] {
  let pending: Buffer = Buffer.alloc(0);
  let tags: string[] = [];
  return (chunk) => {
    const answers: string[][] = [];
    let rest = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (rest.length >= 5) {
      const size = 1 + rest.readUInt32BE(1);
      if (rest.length < size) break;
      const kind = String.fromCharCode(rest[0] ?? 0);
      if (kind === 'C') tags.push(rest.toString('utf8', 5, size - 1));
      if (kind === 'Z' && rest[5] === 0x49) {
        answers.push(tags);
        tags = [];
      }
      rest = rest.subarray(size);
    }
    pending = rest;
    return answers;
  };
}
