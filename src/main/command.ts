import { readFile } from 'node:fs/promises';
import type { Environment } from '../base/config.ts';

interface OptionSpec {
  type: 'string' | 'boolean';
  about: string;
  /** Given once for each of its values. */
  multiple?: true;
}

/** The option of commands that act on one instance. */
export const instance = { type: 'string', about: 'Slug of the instance.' } as const;

export interface CommandInput {
  options: Record<string, string | boolean | string[] | undefined>;
  words: string[];
  env: Environment;
}

export interface Command {
  /** The words that call it: `api-key create`. */
  name: string;
  /** What follows the name in its usage line. */
  arguments: string;
  summary: string;
  options: Record<string, OptionSpec>;
  example: string;
  /** What to print, for people and as one JSON object; undefined when the command printed by itself. */
  run(input: CommandInput): Promise<{ text: string; json: unknown } | undefined>;
}

export function findCommand(
  commands: Command[],
  words: string[],
): { command: Command; rest: string[] } | undefined {
  const command = commands
    .filter(({ name }) => name.split(' ').every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0];
  return command && { command, rest: words.slice(command.name.split(' ').length) };
}

/** How many words the usage line of a command has room for, besides its options and their values. */
export function maxWords({ arguments: usage, options }: Command): number {
  const tokens = usage.split(/[\s[\]]+/).filter(Boolean);
  const isValue = (index: number): boolean =>
    options[tokens[index - 1]?.replace(/^--/, '') ?? '']?.type === 'string';
  const words = tokens.filter((token, index) => !token.startsWith('--') && !isValue(index));
  return words.some((word) => word.endsWith('…')) ? Infinity : words.length;
}

/** All commands, or those about one thing: `instance`. */
export function overview(all: Command[], about?: string): string {
  const some = all.filter(({ name }) => name.split(' ')[0] === about);
  const commands = some.length > 0 ? some : all;
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: chasqui <command> [options]',
    '',
    ...lines,
    '',
    'Each command explains itself with --help and answers one JSON object with --json. --version prints the version.',
    'Settings come from the environment and from a .env file; .env.example lists them.',
    '',
  ].join('\n');
}

export function usageOf(command: Command): string {
  const json: OptionSpec = { type: 'boolean', about: 'Print one JSON object.' };
  const options = Object.entries<OptionSpec>({ ...command.options, json }).map(
    ([name, { type, about }]) => `  ${`--${name}${type === 'string' ? ' …' : ''}`.padEnd(22)} ${about}`,
  );
  return [
    `Usage: chasqui ${command.name} ${command.arguments}`.trimEnd(),
    '',
    command.summary,
    '',
    ...options,
    '',
    `Example: ${command.example}`,
    '',
  ].join('\n');
}

/** The value of an option that the command cannot do without. */
export function required({ options }: CommandInput, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value === '') throw new Error(`--${name} is required.`);
  return value;
}

export function optional({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Options `--name a=1 --name b=2` as an object. */
export function pairs({ options }: CommandInput, name: string): Record<string, string> {
  const found = new Map<string, string>();
  for (const given of [options[name] ?? []].flat()) {
    const [, key = '', value] = /^([^=]+)=(.*)$/s.exec(String(given)) ?? [];
    if (value === undefined) throw new Error(`--${name} takes name=value.`);
    if (found.has(key)) throw new Error(`--${name} names ${key} twice.`);
    found.set(key, value);
  }
  return Object.fromEntries(found);
}

/** `on` or `off`; undefined when the option was not given. */
export function onOrOff(input: CommandInput, name: string): boolean | undefined {
  const value = optional(input, name);
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new Error(`--${name} takes on or off.`);
  return value === 'on';
}

/** `a, b` as a list; nothing as an empty one. */
export function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** `@path` stands for what the file says, anything else for itself. */
export async function textOf(input: CommandInput, name: string): Promise<string | undefined> {
  const value = optional(input, name);
  if (!value?.startsWith('@')) return value;
  const bytes = await readFile(value.slice(1));
  try {
    // Takes a byte order mark away.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`${value.slice(1)} is not in UTF-8.`, { cause: error });
  }
}

/** A password, which with `@path` is neither in the list of processes nor in the history of the shell. */
export async function secretOf(input: CommandInput, name: string): Promise<string> {
  required(input, name);
  return ((await textOf(input, name)) ?? '').replace(/\r?\n$/, '');
}

/** The one word of a command that cannot do without it; `what` says what it is, such as `the domain`. */
export function wordOf({ words: [word] }: CommandInput, what: string): string {
  if (!word) throw new Error(`Give ${what}.`);
  return word;
}

/** One of these words; null when the option was not given. */
export function choice<Word extends string>(
  input: CommandInput,
  name: string,
  words: readonly Word[],
): Word | null {
  const given = optional(input, name);
  if (given === undefined) return null;
  const found = words.find((word) => word === given);
  if (found === undefined) throw new Error(`--${name} is one of ${words.join(', ')}.`);
  return found;
}

/** The identifier that a command names as its one word. */
export function idOf({ words }: CommandInput): number {
  const [text = ''] = words;
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new Error('Give the id, a number as the list shows it.');
  return id;
}
