import path from 'node:path';
import { parseArgs } from 'node:util';
import { thisCode } from './bed/fault-bed.ts';
import { seconds } from './bed/findings.ts';
import { play } from './bed/play.ts';
import { playPlanted } from './random/planted/play-planted.ts';
import { plantedBugs } from './random/planted/planted-bugs.ts';
import { playRandom } from './random/play-random.ts';
import { keepResult } from './bed/results.ts';
import type { Scenario } from './bed/scenario.ts';
import { scenarios } from './scenarios.ts';

/**
 * `npm run faults -- random --seed N [--seeds COUNT] [--minutes M] [--code DIR]`: a seeded workload under seeded faults.
 * `npm run faults -- planted [NAME]`: bugs that were put in on purpose, each of which a random run must find.
 * `npm run faults -- NAME [rounds] [option=value …] [--code DIR] [--from REF]`: one scenario, or `all` of them. Fails
 * when one of them does.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    code: { type: 'string', default: thisCode },
    from: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '3' },
  },
});
const [name = '', ...rest] = positionals;
const options = Object.fromEntries(
  rest.filter((word) => word.includes('=')).map((word) => [word.split('=')[0], Number(word.split('=')[1])]),
);
const [rounds] = rest.filter((word) => !word.includes('=')).map(Number);
const code = path.resolve(values.code);
const chosen = scenarios.filter((scenario) => name === 'all' || scenario.name === name);

let end = async (): Promise<void> => undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
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

async function playSeed(seed: number): Promise<void> {
  const minutes = Number(values.minutes);
  const onStage = (stop: () => Promise<void>): void => void (end = stop);
  print(`      random, seed ${seed}, ${minutes} minutes`);
  const note = (text: string): void => print(`      ${text}`);
  const violations = await playRandom({ seed, minutes, code, note, onStage }).catch((error: Error) => [
    { invariant: 'can be set up', what: error.message },
  ]);
  for (const { invariant, what } of violations) print(`      ${invariant}: ${what}`);
  const again = `npm run faults -- random --seed ${seed} --minutes ${minutes}`;
  print(violations.length === 0 ? `pass  seed ${seed}` : `FAIL  seed ${seed}; again: ${again}`);
  if (violations.length > 0) process.exitCode = 1;
}

/** All of them, or the one of that name. */
async function playAllPlanted(): Promise<void> {
  const onStage = (stop: () => Promise<void>): void => void (end = stop);
  const note = (text: string): void => print(`      ${text}`);
  const wanted = positionals.slice(1).join(' ');
  for (const bug of plantedBugs.filter((each) => each.name.includes(wanted))) {
    print(`      ${bug.name}: ${bug.about}`);
    const given = { code, seed: Number(values.seed), minutes: Number(values.minutes), note, onStage };
    const { by_seed, after_ms, violations } = await playPlanted(bug, given);
    for (const { invariant, what } of violations) print(`      ${invariant}: ${what}`);
    const outcome = by_seed === undefined ? 'not found' : `found by seed ${by_seed}`;
    print(`${by_seed === undefined ? 'FAIL' : 'pass'}  ${bug.name}: ${outcome} after ${seconds(after_ms)}`);
    if (by_seed === undefined) process.exitCode = 1;
  }
}

if (name === 'planted') {
  await playAllPlanted();
} else if (name === 'random') {
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) await playSeed(seed);
} else if (chosen.length === 0) {
  const lines = scenarios.map(({ name: each, about, options: known }) => {
    const words = Object.entries(known).map(([key, value]) => `${key}=${value}`);
    return `  ${each.padEnd(14)} ${about} (${words.join(' ')})`;
  });
  process.stderr.write(`Which one? all, random --seed N, or\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}
for (const scenario of chosen) await playOne(scenario);
