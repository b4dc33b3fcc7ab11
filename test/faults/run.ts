import path from 'node:path';
import { parseArgs } from 'node:util';
import { this_code } from './bed/fault-bed.ts';
import { seconds } from './bed/findings.ts';
import { play } from './bed/play.ts';
import { keepResult } from './bed/results.ts';
import type { Scenario } from './bed/scenario.ts';
import { scenarios } from './scenarios.ts';

/**
 * `npm run faults -- NAME [rounds] [option=value …] [--code DIR] [--from REF]`: one scenario, or `all` of them. Fails
 * when one of them does.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { code: { type: 'string', default: this_code }, from: { type: 'string' } },
});
const [name = '', ...rest] = positionals;
const options = Object.fromEntries(
  rest.filter((word) => word.includes('=')).map((word) => [word.split('=')[0], Number(word.split('=')[1])]),
);
const [rounds] = rest.filter((word) => !word.includes('=')).map(Number);
const code = path.resolve(values.code);
const chosen = scenarios.filter((scenario) => name === 'all' || scenario.name === name);

let end = async (): Promise<void> => undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function playOne(scenario: Scenario): Promise<void> {
  const reason = scenario.unavailable?.(values.from);
  if (reason !== undefined) {
    print(`skip  ${scenario.name}: ${reason}`);
    return;
  }
  print(`      ${scenario.name}: ${scenario.about}`);
  const played = await play(scenario, {
    code,
    options,
    ...(rounds === undefined ? {} : { rounds }),
    ...(values.from ? { from: values.from } : {}),
    note: (text) => print(`      ${text}`),
    onStage: (stop) => (end = stop),
  });
  const { findings, wrong } = played;
  print(
    `      ${findings.acknowledged} acknowledged, ${findings.refused} refused, ${findings.unanswered} unanswered; ` +
      `${findings.lost.length} lost, ${findings.doubled.length} doubled, ${findings.unheard.length} sent again as the answer was lost, ` +
      `${findings.refused_but_stored.length} refused but stored; healed in ${seconds(findings.healed_ms)}`,
  );
  print(`${wrong.length === 0 ? 'pass' : 'FAIL'}  ${[scenario.name, ...wrong].join(': ')}`);
  // A run with other durations says something else.
  if (Object.keys(options).length === 0) keepResult(scenario.name, played, code);
  if (wrong.length > 0) process.exitCode = 1;
}

if (chosen.length === 0) {
  const lines = scenarios.map(({ name: each, about, options: known }) => {
    const words = Object.entries(known).map(([key, value]) => `${key}=${value}`);
    return `  ${each.padEnd(14)} ${about} (${words.join(' ')})`;
  });
  process.stderr.write(`Which one? all, or\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}
for (const scenario of chosen) await playOne(scenario);
