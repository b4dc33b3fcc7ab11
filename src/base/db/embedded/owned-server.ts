import type { DataLayout } from './data-layout.ts';
import { thisProcess } from '../../processes/process-identity.ts';
import { stopServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { removeOwner, writeOwner } from './server-state.ts';

/** Declares this process the owner of a running server, watches over it, and returns how to stop it. */
export function ownServer(
  server: ServerProcess,
  layout: DataLayout,
  onExit: ((reason: string) => void) | undefined,
): () => Promise<void> {
  const owner = { ...thisProcess(), server_pid: server.pid };
  let stopped: Promise<void> | undefined;
  writeOwner(layout, owner);
  const watch = async (): Promise<void> => {
    const { how } = await server.watched.ended;
    if (stopped !== undefined) return;
    stopped = Promise.resolve();
    removeOwner(layout, owner);
    onExit?.(`The embedded PostgreSQL ended by itself (${how}). ${serverLines(server.watched.log())}`.trim());
  };
  void watch();
  return async () => {
    if (stopped === undefined) {
      // First of all, so that no process attaches to a server that is stopping.
      removeOwner(layout, owner);
      stopped = stopServer(server);
    }
    await stopped;
  };
}

/** What the server says of itself; lines about statements may quote mail addresses and stay here. */
function serverLines(log: string): string {
  const lines = log.split('\n').filter((line) => /^(LOG|FATAL|PANIC): /.test(line));
  return lines.slice(-5).join(' | ');
}
