import { readFileSync, readlinkSync } from 'node:fs';

/** Where a process runs and when it began, so that others in the same place can tell whether it is still there. */
export interface ProcessPlace {
  /** Kernel boot and PID namespace; undefined where the system does not tell. */
  place: string | undefined;
  pid: number;
  process_start: string | undefined;
}

export function placeOfThisProcess(): ProcessPlace {
  const pid = process.pid;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const place = `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
    return { place, pid, process_start: startOf(pid) };
  } catch {
    return { place: undefined, pid, process_start: undefined };
  }
}

/** False only when it is certain: it ran in the place of this process, and is not there any more. */
export function mayBeRunning(other: ProcessPlace, here: ProcessPlace): boolean {
  if (here.place === undefined || other.place !== here.place) return true;
  try {
    return startOf(other.pid) === other.process_start;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Field 22 of proc_pid_stat(5); the second one is a name in brackets that may hold anything. */
function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
