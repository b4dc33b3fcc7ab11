import type { Environment } from '../../src/base/config.ts';
import { runCommandLine } from '../../src/main/command-line.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of the command line in this process, since starting one for each takes a second. That processes start,
 * print and end as they should is for test/faults/command-line.test.ts.
 */
export async function runCommand(words: string[], env: Environment): Promise<Ended> {
  const ended = { stdout: '', stderr: '' };
  const code = await runCommandLine(words, {
    env,
    out: (text) => void (ended.stdout += text),
    err: (text) => void (ended.stderr += text),
  });
  return { code, ...ended };
}
