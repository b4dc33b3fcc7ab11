import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import { seconds } from './findings.ts';
import type { Played } from './play.ts';

const file = path.resolve(import.meta.dirname, '../results.md');
const head = `# Results

The last run of each scenario of \`npm run faults\`, written by the runner. *Answer lost*: sent again because its node was
killed or stopped before it could write down that the server had taken it. *Healed in*: from the end of the fault until
every node has accepted a mail and it has arrived, the slowest of all rounds.

| scenario | rounds | acknowledged | lost | doubled | answer lost | still waiting | refused but stored | healed in | verdict | run |
|---|---|---|---|---|---|---|---|---|---|---|
`;

/** Puts the row of a run in the place of the one before. */
export function keepResult(name: string, played: Played, code: string): void {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rows = kept
    .split('\n')
    .filter((line) => /^\| [a-z]+(-[a-z]+)* \|/.test(line) && !line.startsWith('| scenario |'));
  const others = rows.filter((row) => !row.startsWith(`| ${name} |`));
  writeFileSync(file, `${head}${[...others, rowOf(name, played, code)].sort().join('\n')}\n`);
}

function rowOf(name: string, { rounds, findings, wrong }: Played, code: string): string {
  const cells = [
    name,
    rounds,
    findings.acknowledged,
    findings.lost.length,
    findings.doubled.length,
    findings.unheard.length,
    findings.standing.length,
    findings.refused_but_stored.length,
    seconds(findings.healed_ms),
    wrong.length === 0 ? 'pass' : `FAIL: ${wrong.join('; ')}`,
    describeRun(code),
  ];
  return `| ${cells.join(' | ')} |`;
}

function describeRun(code: string): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${day}, ${commitOf(code)}, ${availableParallelism()} × ${cpu?.model.trim()} (${process.arch}), ${memory} GB, load average ${load}`;
}

function commitOf(code: string): string {
  try {
    const git = (...words: string[]): string =>
      execFileSync('git', ['-C', code, ...words], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const isChanged = git('status', '--porcelain', '--', 'src', 'bin', 'migrations') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'no commit';
  }
}
