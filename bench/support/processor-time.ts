import { readdirSync, readFileSync } from 'node:fs';

interface ProcessTime {
  pid: number;
  parent: number;
  /** Its own and of its children that ended, in microseconds. */
  us: number;
}

const tickUs = 10_000;

function timeOf(pid: number): ProcessTime | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = fields.slice(11, 15).map(Number);
    return { pid, parent: Number(fields[1]), us: ticks.reduce((sum, each) => sum + each, 0) * tickUs };
  } catch {
    return undefined; // it ended while we looked
  }
}

/** Processor time of a process so far, and of all its descendants: PostgreSQL's processes are children of ours. */
export function processorTime(pid: number): { own_us: number; others_us: number } {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => timeOf(Number(name)) ?? []);
  const below = new Set([pid]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const each of all) if (below.has(each.parent)) below.add(each.pid);
  }
  const sum = (some: ProcessTime[]): number => some.reduce((total, { us }) => total + us, 0);
  const own_us = ownTime(pid);
  return { own_us, others_us: sum(all.filter((each) => below.has(each.pid))) - own_us };
}

/** Without that of its children that ended, which belongs to the others. */
function ownTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
}
