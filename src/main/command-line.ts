import { parseArgs } from 'node:util';
import { ConfigError, type Environment } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { findCommand, maxWords, overview, usageOf, type Command } from './command.ts';
import { explainFailure, LoggedFailure } from './failure.ts';
import { loadCommands } from './commands.ts';
import { readVersion } from './version.ts';

/** Where a command is called from. */
export interface Terminal {
  env: Environment;
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Runs the command that the words name and gives the exit code. */
export async function runCommandLine(words: string[], terminal: Terminal): Promise<0 | 1> {
  try {
    await run(words, terminal);
    return 0;
  } catch (error) {
    complain(error as Error, terminal);
    return 1;
  }
}

/** An operator reads one clear line; CHASQUI_DEBUG adds the stack of a bug. */
function complain(error: Error, { env, err }: Terminal): void {
  if (error instanceof LoggedFailure) return;
  err(`chasqui: ${explainFailure(error)}\n`);
  const expected = error instanceof Problem || error instanceof ConfigError;
  if (!expected && env['CHASQUI_DEBUG']) err(`${error.stack}\n`);
}

async function run(words: string[], { env, out }: Terminal): Promise<void> {
  if (words[0] === '--version') {
    const version = readVersion();
    out(words.includes('--json') ? `${JSON.stringify({ version })}\n` : `${version}\n`);
    return;
  }
  const commands = await loadCommands(words);
  const found = findCommand(commands, words);
  const isAsking = words.length === 0 || words.some((word) => ['help', '--help', '-h'].includes(word));
  if (!found && !isAsking) {
    const named = words.filter((word) => !word.startsWith('-')).join(' ');
    throw new Error(`There is no command '${named}'. \`chasqui --help\` lists them.`);
  }
  if (!found || words.includes('--help') || words.includes('-h')) {
    out(found ? usageOf(found.command) : overview(commands, words[0]));
    return;
  }
  const { command, rest } = found;
  const { values, positionals } = read(command, rest);
  const result = await command.run({ options: values, words: positionals, env });
  if (result === undefined) return;
  out(values['json'] ? `${JSON.stringify(result.json)}\n` : `${result.text}\n`);
}

function read(
  command: Command,
  args: string[],
): { values: Record<string, string | boolean | string[]>; positionals: string[] } {
  const known: Command['options'] = { ...command.options, json: { type: 'boolean', about: '' } };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
  const refuse = (why: string, cause?: unknown): never => {
    throw new Error(`${why}. \`chasqui ${command.name} --help\` tells how it is used.`, { cause });
  };
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const surplus = parsed.positionals[maxWords(command)];
    if (surplus !== undefined) refuse(`'${surplus}' is one word too many`);
    // A shell's variable that is not set: without the option the command would do something else, such as a key for any address.
    const values = parsed.values as Record<string, string | boolean | string[]>;
    const empty = Object.entries(values).find(([, value]) => [value].flat().includes(''));
    if (empty) refuse(`--${empty[0]} is empty`);
    return { values, positionals: parsed.positionals };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    // The first sentence says what is wrong; those after it, how dashes could be meant otherwise.
    return refuse(message.split(/\n|\. |\.$/)[0] ?? message, error);
  }
}
