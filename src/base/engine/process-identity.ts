import { readFileSync, readlinkSync } from 'node:fs';

/** Names one process for good, so that other processes on the same machine can check whether it still runs. */
export interface ProcessIdentity {
  /** Boot id and PID namespace; undefined on systems without /proc. */
  machine: string | undefined;
  pid: number;
  process_start: string | undefined;
}

export function identifyThisProcess(): ProcessIdentity {
  const pid = process.pid;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const machine = `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
    return { machine, pid, process_start: startOf(pid) };
  } catch {
    return { machine: undefined, pid, process_start: undefined };
  }
}

/** False only when it is certain: the process ran on this machine and has exited. */
export function mayBeRunning(other: ProcessIdentity, here: ProcessIdentity): boolean {
  if (here.machine === undefined || other.machine !== here.machine) return true;
  try {
    return startOf(other.pid) === other.process_start;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Field 22 of proc_pid_stat(5). Field 2 is the command in parentheses, which may hold spaces and parentheses. */
function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
