import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A pid alone is recycled sooner or later; together with its start time it names one process for good. */
export interface ProcessIdentity {
  pid: number;
  started_at: string;
}

/** Children get a fixed environment: the service's own may hold secrets and is no business of theirs. */
export const CHILD_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
} as const;

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started_at: findStartTime(process.pid) ?? '' };
}

export function isRunning(identity: ProcessIdentity): boolean {
  const startedAt = findStartTime(identity.pid);
  return startedAt !== undefined && startedAt === identity.started_at;
}

/** Undefined when there is no such process, or only its zombie. */
export function findStartTime(pid: number): string | undefined {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

/** Whether the process was started with exactly this argument. */
export function runsWithArgument(pid: number, argument: string): boolean {
  if (findStartTime(pid) === undefined) return false;
  if (process.platform !== 'linux') return ps(pid, 'args=').includes(argument);
  return readProc(`/proc/${pid}/cmdline`).split('\0').includes(argument);
}

function startTimeFromProc(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  // The second field is the command in parentheses and may itself hold spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  // Field 22 counts clock ticks since boot, so the boot has to be named as well.
  return `${readProc('/proc/sys/kernel/random/boot_id').trim()}/${fields[18] ?? ''}`;
}

function startTimeFromPs(pid: number): string | undefined {
  const line = ps(pid, 'stat=,lstart=');
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

function ps(pid: number, columns: string): string {
  try {
    const args = ['-ww', '-p', String(pid), '-o', columns];
    return execFileSync('ps', args, { env: CHILD_ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return ''; // ps exits with 1 when there is no such process
  }
}

function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process has gone
  }
}
