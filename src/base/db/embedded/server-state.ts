import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { socketPath } from './data-layout.ts';
import type { DataLayout } from './data-layout.ts';
import { isRunning, runsWithArgument } from '../../processes/process-identity.ts';
import type { ProcessIdentity } from '../../processes/process-identity.ts';
import { readIfPresent } from '../../read-if-present.ts';

/** The Node process that started the running server and stops it. */
export interface Owner extends ProcessIdentity {
  server_pid: number;
}

/** What a server writes into postmaster.pid; a file left by a dead one reads the same. */
export interface PostmasterFile {
  text: string;
  pid: number;
  port: number;
  socket_dir: string;
  is_ready: boolean;
}

export interface RunningServer extends PostmasterFile {
  /** It answers, but its pid is not that of a process we can see: it runs in another container. */
  is_elsewhere: boolean;
}

export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  const text = readIfPresent(path.join(cluster, 'postmaster.pid'));
  if (text === undefined) return undefined;
  const [pid, , , port, socketDir = '', , , status = ''] = text.split('\n');
  const isReady = status.trim() === 'ready';
  return { text, pid: Number(pid), port: Number(port), socket_dir: socketDir, is_ready: isReady };
}

/**
 * The server that uses this cluster now. A recycled pid is told apart by the command line, since the process
 * may even be another PostgreSQL; and a second server beside one in another container would ruin the data.
 */
export async function findRunningServer(layout: DataLayout): Promise<RunningServer | undefined> {
  const file = readPostmasterFile(layout.cluster);
  if (file === undefined) return undefined;
  if (isPostmaster(file.pid, layout)) return { ...file, is_elsewhere: false };
  const answers = file.socket_dir !== '' && (await isAnswering(socketPath(file.socket_dir, file.port)));
  return answers ? { ...file, is_elsewhere: true } : undefined;
}

/** The running server, if it is there to stay: its owner lives too. */
export async function findAttachableServer(layout: DataLayout): Promise<RunningServer | undefined> {
  const server = await findRunningServer(layout);
  if (server === undefined || server.is_elsewhere) return server;
  const owner = readOwner(layout);
  const isOwned = owner !== undefined && owner.server_pid === server.pid && isRunning(owner);
  return isOwned && server.is_ready ? server : undefined;
}

export function isPostmaster(pid: number, layout: DataLayout): boolean {
  return Number.isInteger(pid) && pid > 0 && runsWithArgument(pid, layout.cluster);
}

export function writeOwner(layout: DataLayout, owner: Owner): void {
  const unfinished = `${layout.owner_file}.${owner.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(owner)}\n`, { mode: 0o644 });
  renameSync(unfinished, layout.owner_file);
}

/** Leaves the file of an owner who has taken over since. */
export function removeOwner(layout: DataLayout, owner: Owner): void {
  const current = readOwner(layout);
  if (current?.pid !== owner.pid || current.server_pid !== owner.server_pid) return;
  rmSync(layout.owner_file, { force: true });
}

function readOwner(layout: DataLayout): Owner | undefined {
  const text = readIfPresent(layout.owner_file);
  if (text === undefined) return undefined;
  try {
    return (JSON.parse(text) as Owner | null) ?? undefined;
  } catch {
    return undefined; // damaged by a full disk or by hand: it belongs to no server
  }
}

async function isAnswering(socket: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}
