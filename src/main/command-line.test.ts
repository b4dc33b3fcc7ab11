import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import type { Environment } from '../base/config.ts';
import { runCommandLine } from './command-line.ts';
import { readRoles } from './roles.ts';
import type { Command } from './command.ts';
import { isCommand, loadCommands } from './commands.ts';
import { withProgress } from './progress.ts';
import { table } from './table.ts';
import { readVersion } from './version.ts';

interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const create = [
  'instance',
  'create',
  '--slug',
  'acme',
  '--name',
  'Acme Ltd',
  '--timezone',
  'America/Santiago',
];
const commands = await loadCommands([]);
const newKey = ['api-key', 'create', '--instance', 'acme', '--name', 'website'];

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  assert.equal((await run(create)).code, 0);
});
after(async () => await database.drop());

async function run(words: string[], more: Environment = {}): Promise<Finished> {
  const result = { code: 0, stdout: '', stderr: '' };
  result.code = await runCommandLine(words, {
    env: { DATABASE_URL: database.url, ...more },
    out: (text) => void (result.stdout += text),
    err: (text) => void (result.stderr += text),
  });
  return result;
}

function refusedWith({ code, stdout, stderr }: Finished, message: RegExp): void {
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(stderr, message);
  assert.match(stderr, /^chasqui: [^\n]+\n$/, 'one line that says who speaks');
}

const refusals: [string, string[], RegExp][] = [
  ['an allowlist that is empty', [...newKey, '--scopes', 'all', '--ip', ''], /--ip is empty/],
  ['a target that is empty', ['restore', 'backup.tar', '--to='], /--to is empty/],
  [
    'a slug with capitals',
    ['instance', 'create', '--slug', 'Acme', '--name', 'x'],
    /A slug has 3 to 32 .*\(validation_error\)/,
  ],
  ['a slug that is taken', create, /slug exists already.*\(instance_already_exists\)/],
  ['an invalid zone', [...create, '--slug', 'other', '--timezone', 'Mars/Base'], /IANA zone/],
  ['a limit that is not a number', [...create, '--slug', 'other', '--plan-limit', 'many'], /whole number/],
  ['a missing name', ['instance', 'create', '--slug', 'other'], /--name is required/],
  ['a key without scopes', newKey, /\(api_key_scope_required\)/],
  ['an unknown scope', [...newKey, '--scopes', 'mail:send,mail:drop'], /'mail:drop' is not a scope/],
  [
    'an invalid range',
    [...newKey, '--scopes', 'all', '--ip', '10.0.0.0/99'],
    /'10\.0\.0\.0\/99' is not an address range/,
  ],
  ['an invalid date', [...newKey, '--scopes', 'all', '--expires', 'soon'], /--expires is not a date/],
  [
    'a date that is past',
    [...newKey, '--scopes', 'all', '--expires', '2026-01-01'],
    /--expires is in the past/,
  ],
  ['an unknown instance', ['api-key', 'list', '--instance', 'nobody'], /There is no instance 'nobody'/],
  ['an unknown key', ['api-key', 'revoke', '--instance', 'acme', 'nokey'], /\(api_key_not_found\)/],
  ['an unknown setting', ['instance', 'set', 'acme', 'colour=red'], /colour is not a setting/],
  ['a setting without value', ['instance', 'set', 'acme', 'name'], /key=value/],
  [
    'a short password',
    ['user', 'create', '--email', 'a@b.cl', '--password', 'short', '--instance', 'acme', '--role', 'owner'],
    /at least 12/,
  ],
  [
    'an unknown role',
    [
      'user',
      'create',
      '--email',
      'a@b.cl',
      '--password',
      'a long password',
      '--instance',
      'acme',
      '--role',
      'king',
    ],
    /'king' is not a role/,
  ],
  ['an unknown option', ['doctor', '--fast'], /Unknown option '--fast'.*chasqui doctor --help/],
  [
    'an option without value',
    ['instance', 'create', '--slug', '--name', 'x'],
    /'--slug' argument is ambiguous.*--help/,
  ],
  ['a word too many', [...newKey, '--scopes', 'mail:send,', 'mail:read'], /'mail:read' is one word too many/],
  ['an unknown command', ['instances', 'list'], /There is no command 'instances list'/],
];
test('a mistake is told in one line on standard error, with nothing on standard output', async (t) => {
  for (const [title, words, message] of refusals) {
    await t.test(title, async () => refusedWith(await run([...words, '--json']), message));
  }
});

test('a configuration with several mistakes is refused with all of them', async () => {
  const env = { CHASQUI_HTTP_PORT: 'x', CHASQUI_DEMO: 'maybe' };
  const { code, stdout, stderr } = await run(['doctor'], env);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.match(
    stderr,
    /^chasqui: The configuration has 2 problem\(s\):\n {2}CHASQUI_HTTP_PORT .*\n {2}CHASQUI_DEMO .*\n$/,
  );
});

test('a service that cannot start says why in its log, and not a second time', async () => {
  for (const [words, env] of [
    [['serve'], { CHASQUI_HTTP_PORT: 'x' }],
    [['serve', '--roles', 'api,king'], {}],
  ] as const) {
    assert.deepEqual(await run([...words], env), { code: 1, stdout: '', stderr: '' });
  }
  assert.throws(() => readRoles('api,king'), /--roles takes a comma list/);
});

test('a database that is out of reach is told as such', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const env = { DATABASE_URL: `postgresql://chasqui:hush@${host}:1/chasqui` };
    const result = await run(['doctor'], env);
    refusedWith(result, /The database cannot be reached: .*ECONNREFUSED.*:1/);
    assert.doesNotMatch(result.stderr, /hush/);
  }
});

test('--help explains every command, without a database', async () => {
  const env = { DATABASE_URL: 'postgresql://localhost:1/none' };
  for (const words of [[], ['--help'], ['-h'], ['help']]) {
    const { code, stdout } = await run(words, env);
    assert.equal(code, 0);
    for (const { name } of commands) assert.match(stdout, new RegExp(`^  ${name} `, 'm'));
  }
  const { stdout } = await run(['instance', '--help'], env);
  assert.match(stdout, /instance create/);
  assert.doesNotMatch(stdout, /api-key/);
  for (const { name, summary } of commands) {
    const help = await run([...name.split(' '), '--help'], env);
    assert.equal(help.code, 0);
    assert.ok(help.stdout.startsWith(`Usage: chasqui ${name}`) && help.stdout.includes(summary));
  }
});

test('--version tells the version, without a database', async () => {
  const env = { DATABASE_URL: 'postgresql://localhost:1/none' };
  assert.equal((await run(['--version'], env)).stdout, `${readVersion()}\n`);
  const { stdout } = await run(['--version', '--json'], env);
  assert.deepEqual(JSON.parse(stdout), { version: readVersion() });
});

/** What bash offers after these words, the last of which is being typed. */
function completed(script: string, words: string[]): string[] {
  const program = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _chasqui; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', program, 'bash', 'chasqui', ...words], { encoding: 'utf8' });
  return output.split('\n').filter(Boolean);
}

test('completion offers commands, then their options', async () => {
  const { stdout: script } = await run(['completion', 'bash']);
  assert.deepEqual(completed(script, ['instance', '']), ['create', 'set', 'list']);
  assert.deepEqual(completed(script, ['inst']), ['instance']);
  assert.deepEqual(completed(script, ['domain', 'va']), ['validate']);
  assert.deepEqual(completed(script, ['user', 'set-password', '--']), [
    '--email',
    '--password',
    '--json',
    '--help',
  ]);
  assert.deepEqual(completed(script, ['instance', 'set', 'acme', '--j']), ['--json']);
  assert.deepEqual(completed(script, ['send', '--to', 'a@b.cl', '--inst']), ['--instance']);
  assert.deepEqual(completed(script, ['completion', '--']), ['--json', '--help']);
  for (const { name } of commands) assert.notDeepEqual(completed(script, name.split(' ')), [], name);
  refusedWith(await run(['completion', 'tcsh']), /Give one of bash, zsh, fish/);
});

for (const shell of ['zsh', 'fish']) {
  const skip = spawnSync(shell, ['--version']).status === 0 ? false : `${shell} is not installed`;
  test(`the script for ${shell} is one`, { skip }, async () => {
    const { stdout: input } = await run(['completion', shell]);
    execFileSync(shell, ['-n', '/dev/stdin'], { input });
  });
}

test('a list has headers and ids, and what strangers wrote does nothing to the terminal', async () => {
  const words = ['--email', 'zoe@acme.cl', '--password', 'a long password', '--instance', 'acme'];
  await run(['user', 'create', ...words, '--role', 'viewer', '--operator']);
  const { stdout } = await run(['user', 'list', '--instance', 'acme']);
  assert.match(
    stdout,
    /^ID +EMAIL +OPERATOR +TWO_FACTOR +ROLES +NAME\n\d+ +zoe@acme\.cl +yes +acme: viewer\n$/,
  );
  const [user] = JSON.parse((await run(['user', 'list', '--json'])).stdout).data;
  assert.deepEqual(user.memberships, [{ instance: 'acme', role: 'viewer' }]);
  const hostile = table([{ subject: 'red \u001B[31m\n  text' }], { subject: ({ subject }) => subject });
  assert.equal(hostile, 'SUBJECT\nred \u{fffd}[31m text');
});

test('an operator sets a password, which ends the sessions of the person', async (t) => {
  const email = ['--email', 'zoe@acme.cl'];
  assert.equal((await run(['user', 'set-password', ...email, '--password', 'another long one'])).code, 0);
  refusedWith(await run(['user', 'set-password', ...email, '--password', 'short']), /at least 12/);
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'chq-password-')), 'password');
  t.after(async () => await rm(path.dirname(file), { recursive: true }));
  for (const [text, code] of [
    ['eleven char\n', 1],
    ['twelve chars\r\n', 0],
  ] as const) {
    await writeFile(file, text);
    assert.equal((await run(['user', 'set-password', ...email, '--password', `@${file}`])).code, code, text);
  }
  const nobody = ['user', 'set-password', '--email', 'no@acme.cl', '--password', 'another long one'];
  refusedWith(await run(nobody), /\(user_not_found\)/);
});

test('a domain is listed and validated', async () => {
  const listed = await run(['domain', 'list', '--instance', 'acme']);
  assert.match(
    listed.stdout,
    /^ID +DOMAIN +STATE +MX +SPF +DKIM +DMARC\n\d+ +acme\.sandbox\.test +verified( +verified){4}\n$/,
  );
  const validated = await run(['domain', 'validate', '--instance', 'acme', 'acme.sandbox.test']);
  assert.match(validated.stdout, /^acme\.sandbox\.test \(id \d+\): verified\n/);
  refusedWith(await run(['domain', 'validate', '--instance', 'acme', 'no.test']), /\(domain_not_found\)/);
});

test('long work shows its progress on a terminal', async () => {
  let shown = '';
  const terminal = { isTTY: true, write: (text: string) => (shown += text) };
  async function* pieces() {
    yield Buffer.alloc(500);
    yield Buffer.alloc(500);
  }
  let read = 0;
  for await (const { length } of withProgress(pieces(), { work: 'import', total: 1_000, terminal }))
    read += length;
  assert.equal(read, 1_000);
  assert.match(shown, /import: 50 %, 500 bytes/);
});

test('every command of the folder is listed, and found in the file that the list names', async () => {
  const folder = path.join(import.meta.dirname, 'commands');
  const files = (await readdir(folder)).filter((name) => /^[\w-]+\.ts$/.test(name));
  const exported = await Promise.all(
    files.map(async (name) => (await import(path.join(folder, name))) as Record<string, unknown>),
  );
  const made = exported.flatMap((each) => Object.values(each).filter(isCommand));
  const namesOf = (some: Command[]): string[] => some.map(({ name }) => name).toSorted();
  assert.deepEqual(namesOf(commands), [...namesOf(made), 'completion'].toSorted());
});

test('only what begins with the first word of a command is loaded', async () => {
  const names = (await loadCommands(['sender', 'list'])).map(({ name }) => name);
  assert.deepEqual(names, ['sender create', 'sender list', 'sender edit', 'sender delete']);
});
