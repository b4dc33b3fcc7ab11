import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError } from '../base/config.ts';
import { problemFromError } from '../base/errors/from-error.ts';
import { Problem } from '../base/errors/problem.ts';
import { findCommand, maxWords, overview, usageOf, type Command } from './command.ts';
import { commands } from './commands.ts';

/** An operator reads one clear line; the stack of a bug is for whoever sets CHASQUI_DEBUG. */
function complain(error: unknown): void {
  process.stderr.write(`chasqui: ${explain(error as Error)}\n`);
  const expected = error instanceof Problem || error instanceof ConfigError;
  if (!expected && process.env['CHASQUI_DEBUG']) process.stderr.write(`${(error as Error).stack}\n`);
}

function explain(error: Error): string {
  const problem = problemFromError(error);
  if (problem && problem.code !== 'service_unavailable') {
    const details = problem.facts.errors?.map(({ message }) => message) ?? [problem.message];
    return `${details.join('; ')} (${problem.code})`;
  }
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `${address}:${port} is in use by another process: stop it or choose another port.`;
  }
  return error.message;
}

async function run(words: string[]): Promise<void> {
  const found = findCommand(commands, words);
  const isAsking = words.length === 0 || words.some((word) => ['help', '--help', '-h'].includes(word));
  if (!found && !isAsking) {
    throw new Error(`There is no command '${words.join(' ')}'. \`chasqui --help\` lists them.`);
  }
  if (!found || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(found ? usageOf(found.command) : overview(commands, words[0]));
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
  const options = Object.fromEntries(
    Object.entries({ ...command.options, json: { type: 'boolean' as const, about: '' } }).map(
      ([name, { type }]) => [name, { type }],
    ),
  );
  const refuse = (why: string, cause?: unknown): never => {
    throw new Error(`${why}. \`chasqui ${command.name} --help\` tells how it is used.`, { cause });
  };
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const surplus = parsed.positionals[maxWords(command)];
    if (surplus !== undefined) refuse(`'${surplus}' is one word too many`);
    return { values: parsed.values as Record<string, string | boolean>, positionals: parsed.positionals };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    // The first sentence says what is wrong; those after it, how dashes could be meant otherwise.
    return refuse(message.split(/\n|\. |\.$/)[0] ?? message, error);
  }
}

if (existsSync('.env')) process.loadEnvFile('.env');
try {
  await run(process.argv.slice(2));
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
