import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { childEnv } from '../../processes/process-identity.ts';

/** Who runs the server. PostgreSQL refuses to run as root, so root needs another user. */
export interface ServerUser {
  /** The owner its files need on disk. */
  uid: number;
  gid: number;
  /** Options and command prefix that turn a child into this user. */
  spawn: { uid?: number; gid?: number };
  prefix: readonly string[];
  /** Of a user without an entry in the passwd file, whom initdb refuses: who runs it instead. Nothing else runs as such a user. */
  founder?: ServerUser;
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
  const probe = spawnSync(command, args, { ...user.spawn, cwd: '/', env: childEnv, stdio: 'ignore' });
  return probe.error === undefined && probe.status === 0;
}

/**
 * An existing cluster stays with its owner: a service run by an ordinary user must still find its data
 * after root has used the command line once. Releases up to 0.2 ran it as nobody, as whom other programs run: its files
 * get an owner of their own. Files of root come from an earlier run in a user namespace.
 */
function rootCandidates(cluster: string): ServerUser[] {
  const owner = findClusterOwner(cluster);
  if (owner?.uid === 0) return [inNamespace(), ...ownUser(cluster)];
  const isOwned = owner !== undefined && owner.uid !== nobodyIds().uid;
  return [...(isOwned ? [switchedTo(owner)] : ownUser(cluster)), inNamespace()];
}

/** Between the users of homed and those of containers, as systemd allocates them: not used by any account. */
const ownUids = { first: 60_578, count: 606 };

const isOwnUid = (uid: number): boolean =>
  uid >= ownUids.first && uid < ownUids.first + ownUids.count && !isListed(uid);

/** By the place of the data: two installations on one machine are strangers to each other. None where all are taken. */
function ownUser(cluster: string): ServerUser[] {
  const start = createHash('sha256').update(cluster).digest().readUInt32BE();
  const { first, count } = ownUids;
  const uids = Array.from({ length: count }, (_, step) => first + ((start + step) % count));
  const uid = uids.find(isOwnUid);
  return uid === undefined ? [] : [switchedTo({ uid, gid: uid })];
}

function findClusterOwner(cluster: string): { uid: number; gid: number } | undefined {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  if (stat === undefined || stat.uid !== 0) return stat;
  return existsSync(path.join(cluster, 'PG_VERSION')) ? stat : undefined;
}

/** In the group of the user that it works for, no other process of nobody can look into its folder or trace it (ptrace(2)). */
function switchedTo({ uid, gid }: { uid: number; gid: number }): ServerUser {
  const user = { uid, gid, spawn: { uid, gid }, prefix: [] };
  return isOwnUid(uid) ? { ...user, founder: switchedTo({ uid: nobodyIds().uid, gid }) } : user;
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

function isListed(uid: number): boolean {
  return new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm').test(readPasswd());
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
