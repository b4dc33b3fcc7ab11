import { examine, type Check, type Finding } from '../../installation/check.ts';
import { checksOfContent, firstChecks } from '../checks.ts';
import type { Command } from '../command.ts';
import { withStore } from './with-store.ts';

async function examineAll(checks: Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(await examine(check));
  return findings;
}

export const doctor: Command = {
  name: 'doctor',
  arguments: '',
  summary:
    'Examines configuration, database, DNS, port 25, certificate, disk, jobs and mails; says what is wrong and what to do.',
  options: {},
  example: 'chasqui doctor',
  async run({ env }) {
    const findings = await withStore(
      env,
      async (db, context) => {
        const first = await examineAll(firstChecks({ ...context, db }));
        if (first.some(({ ok }) => !ok)) return first;
        return [...first, ...(await examineAll(checksOfContent({ ...context, db })))];
      },
      { schema: 'any' },
    );
    const text = findings.flatMap(({ check, ok, detail, action, is_skipped }) => [
      `${is_skipped ? 'skip' : ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(14)} ${detail}`,
      ...(action === null ? [] : [`${' '.repeat(21)}→ ${action}`]),
    ]);
    if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    return { text: text.join('\n'), json: { ok: findings.every(({ ok }) => ok), findings } };
  },
};
