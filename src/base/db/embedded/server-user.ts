import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHILD_ENV } from '../../processes/process-identity.ts';

/** Who runs the server. PostgreSQL refuses to run as root, so root has to find somebody else. */
export interface ServerUser {
  /** The owner its files need on disk. */
  uid: number;
  gid: number;
  /** Options and command prefix that turn a child into this user. */
  spawn: { uid?: number; gid?: number };
  prefix: readonly string[];
}

/** The user to run a server for data in `directory`, or undefined when this process can become none that fits. */
export function findServerUser(directory: string, cluster: string): ServerUser | undefined {
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (me.uid !== 0) return { ...me, spawn: {}, prefix: [] };
  return rootCandidates(cluster).find((user) => canReach(user, directory));
}

/** Whether that user can enter the directory, or execute the file. */
export function canReach(user: ServerUser, target: string): boolean {
  if (user.prefix.length === 0 && user.spawn.uid === undefined) return isAccessible(target);
  const [command, ...args] = [...user.prefix, '/bin/sh', '-c', 'test -x "$0"', target];
  const probe = spawnSync(command, args, { ...user.spawn, cwd: '/', env: CHILD_ENV, stdio: 'ignore' });
  return probe.error === undefined && probe.status === 0;
}

/**
 * An existing cluster stays with whoever owns it: a service run by an ordinary user must still find its data
 * after root has used the command line once. Files of root come from an earlier run in a user namespace.
 */
function rootCandidates(cluster: string): ServerUser[] {
  const owner = findClusterOwner(cluster);
  if (owner !== undefined && owner.uid !== 0) return [switchedTo(owner), inNamespace()];
  const nobody = switchedTo(nobodyIds());
  return owner === undefined ? [nobody, inNamespace()] : [inNamespace(), nobody];
}

function findClusterOwner(cluster: string): { uid: number; gid: number } | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  if (stat === undefined || stat.uid !== 0) return stat;
  return existsSync(path.join(cluster, 'PG_VERSION')) ? stat : undefined;
}

function switchedTo({ uid, gid }: { uid: number; gid: number }): ServerUser {
  return { uid, gid, spawn: { uid, gid }, prefix: [] };
}

/**
 * Where setuid is forbidden, or only root may pass a parent directory: root on disk, nobody to PostgreSQL.
 * The user must be in the passwd file because initdb looks itself up.
 */
function inNamespace(): ServerUser {
  const { uid, gid } = nobodyIds();
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
  return { uid: 0, gid: 0, spawn: {}, prefix };
}

function nobodyIds(): { uid: number; gid: number } {
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readPasswd());
  // macOS writes -2 where the kernel means 4294967294.
  return { uid: Number(entry?.[1] ?? 65534) >>> 0, gid: Number(entry?.[2] ?? 65534) >>> 0 };
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function isAccessible(target: string): boolean {
  try {
    accessSync(target, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
