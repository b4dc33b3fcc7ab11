import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { findCommand, overview, usageOf, type Command } from './command.ts';
import { commands } from './commands.ts';

/** An operator reads one clear line; the stack of a bug is for whoever sets CHASQUI_DEBUG. */
function complain(error: unknown): void {
  const text = error instanceof Problem ? explain(error) : (error as Error).message;
  process.stderr.write(`chasqui: ${text}\n`);
  const expected = error instanceof Problem || error instanceof ConfigError;
  if (!expected && process.env['CHASQUI_DEBUG']) process.stderr.write(`${(error as Error).stack}\n`);
}

function explain(problem: Problem): string {
  const details = problem.facts.errors?.map(({ message }) => message) ?? [problem.message];
  return `${details.join('; ')} (${problem.code})`;
}

async function run(words: string[]): Promise<void> {
  const found = findCommand(commands, words);
  if (!found || words.includes('--help') || words.includes('-h')) {
    const asked = words.length === 0 || words.some((word) => ['help', '--help', '-h'].includes(word));
    process.stdout.write(found ? usageOf(found.command) : overview(commands));
    if (!found && !asked) throw new Error(`There is no command '${words.join(' ')}'.`);
    return;
  }
  const { command, rest } = found;
  const { values, positionals } = read(command, rest);
  const result = await command.run({ options: values, words: positionals, env: process.env });
  if (result === undefined) return;
  process.stdout.write(values['json'] ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
}

function read(
  command: Command,
  args: string[],
): { values: Record<string, string | boolean>; positionals: string[] } {
  try {
    const options = Object.fromEntries(
      Object.entries({ ...command.options, json: { type: 'boolean' as const, about: '' } }).map(
        ([name, { type }]) => [name, { type }],
      ),
    );
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { values: parsed.values as Record<string, string | boolean>, positionals: parsed.positionals };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usageOf(command)}`, { cause: error });
  }
}

if (existsSync('.env')) process.loadEnvFile('.env');
try {
  await run(process.argv.slice(2));
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
