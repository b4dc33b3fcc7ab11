import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** A pid is recycled sooner or later; together with its start time it permanently names one process. */
export interface ProcessIdentity {
  pid: number;
  started_at: string;
}

/** The process of a node, for nodes that may run elsewhere. */
export interface NodeProcess {
  /** Boot id and PID namespace; undefined on systems without /proc. */
  machine: string | undefined;
  pid: number;
  /** Clock ticks since boot. */
  process_start: string | undefined;
}

/** Children get a fixed environment: the service's own may hold secrets that they do not need. */
export const childEnv = {
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
  if (process.platform !== 'linux') return startTimeFromPs(pid);
  const ticks = startTicks(readProc(`/proc/${pid}/stat`));
  return ticks === undefined ? undefined : `${bootId()}/${ticks}`;
}

/** Whether the process was started with exactly this argument. */
export function runsWithArgument(pid: number, argument: string): boolean {
  if (findStartTime(pid) === undefined) return false;
  if (process.platform !== 'linux') return ps(pid, 'args=').includes(argument);
  return readProc(`/proc/${pid}/cmdline`).split('\0').includes(argument);
}

export function thisNodeProcess(): NodeProcess {
  const { pid } = process;
  try {
    const machine = `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
    return { machine, pid, process_start: startTicks(readProc(`/proc/${pid}/stat`)) };
  } catch {
    return { machine: undefined, pid, process_start: undefined };
  }
}

/** False only when it is certain: the process ran on this machine and has exited. */
export function mayBeRunning(other: NodeProcess, here: NodeProcess): boolean {
  if (here.machine === undefined || other.machine !== here.machine) return true;
  if (!exists(other.pid)) return false;
  const stat = readProc(`/proc/${other.pid}/stat`);
  // Empty where /proc hides the processes of other users (hidepid).
  return stat === '' || startTicks(stat) === other.process_start;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Field 22 of proc_pid_stat(5); undefined for a zombie. Field 2 is the command in parentheses, which may hold others. */
function startTicks(stat: string): string | undefined {
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ['', 'Z', 'X'].includes(state) ? undefined : fields[18];
}

/** Ticks count from the boot, so it has to be named as well. */
function bootId(): string {
  return readProc('/proc/sys/kernel/random/boot_id').trim();
}

function startTimeFromPs(pid: number): string | undefined {
  const line = ps(pid, 'stat=,lstart=');
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

function ps(pid: number, columns: string): string {
  try {
    const args = ['-ww', '-p', String(pid), '-o', columns];
    return execFileSync('ps', args, { env: childEnv, encoding: 'utf8', stdio: 'pipe' }).trim();
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
