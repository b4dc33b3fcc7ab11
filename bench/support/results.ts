import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';

const file = path.resolve(import.meta.dirname, '../results.md');
const title = '# Results\n\nThe last run of each benchmark, written by the benchmark itself.\n';

/** Puts the lines of a run under the benchmark's heading, in the place of those of the run before. */
export function keepResults(benchmark: string, lines: string[]): void {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : title;
  const others = kept.split(/\n(?=## )/).filter((section) => !section.startsWith(`## ${benchmark}\n`));
  const section = [`## ${benchmark}`, '', describeMachine(), '', ...lines, ''].join('\n');
  const [head = title, ...rest] = others;
  const sections = [...rest, section].map((text) => text.trimEnd()).sort();
  writeFileSync(file, `${[head.trimEnd(), ...sections].join('\n\n')}\n`);
}

function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${availableParallelism()} × ${cpu?.model.trim()} (${process.arch}), ${memory} GB, ${process.platform}, Node ${process.versions.node}, load average ${load} at the end`;
}
