import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import type { Environment } from '../base/config.ts';
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

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
  [
    'a slug with capitals',
    ['instance', 'create', '--slug', 'Acme', '--name', 'x'],
    /A slug has 3 to 32 .*\(validation_error\)/,
  ],
  ['a slug that is taken', create, /slug exists already.*\(instance_already_exists\)/],
  ['a zone that is none', [...create, '--slug', 'other', '--timezone', 'Mars/Base'], /IANA zone/],
  ['a limit that is no number', [...create, '--slug', 'other', '--plan-limit', 'many'], /whole number/],
  ['a missing name', ['instance', 'create', '--slug', 'other'], /--name is required/],
  ['a key without scopes', newKey, /\(api_key_scope_required\)/],
  ['a scope that is none', [...newKey, '--scopes', 'mail:send,mail:drop'], /'mail:drop' is no scope/],
  [
    'a range that is none',
    [...newKey, '--scopes', 'all', '--ip', '10.0.0.0/99'],
    /'10\.0\.0\.0\/99' is no address range/,
  ],
  ['a date that is none', [...newKey, '--scopes', 'all', '--expires', 'soon'], /--expires is no date/],
  ['an instance that is none', ['api-key', 'list', '--instance', 'nobody'], /There is no instance 'nobody'/],
  ['a key that is none', ['api-key', 'revoke', '--instance', 'acme', 'nokey'], /\(api_key_not_found\)/],
  ['a setting that is none', ['instance', 'set', 'acme', 'colour=red'], /colour is no setting/],
  ['a setting without value', ['instance', 'set', 'acme', 'name'], /key=value/],
  [
    'a short password',
    ['user', 'create', '--email', 'a@b.cl', '--password', 'short', '--instance', 'acme', '--role', 'owner'],
    /at least 12/,
  ],
  [
    'a role that is none',
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
    /'king' is no role/,
  ],
  ['an option that is none', ['doctor', '--fast'], /Unknown option '--fast'.*chasqui doctor --help/],
  [
    'an option without value',
    ['instance', 'create', '--slug', '--name', 'x'],
    /'--slug' argument is ambiguous.*--help/,
  ],
  ['a word too many', [...newKey, '--scopes', 'mail:send,', 'mail:read'], /'mail:read' is one word too many/],
  ['a command that is none', ['instances', 'list'], /There is no command 'instances list'/],
  ['roles that are none', ['serve', '--roles', 'api,king'], /--roles takes a comma list/],
];
test('a mistake is told in one line on standard error, with nothing on standard output', async (t) => {
  for (const [title, words, message] of refusals) {
    await t.test(title, async () => refusedWith(await run([...words, '--json']), message));
  }
});

test('a configuration with several mistakes is refused with all of them', async () => {
  const env = { CHASQUI_HTTP_PORT: 'x', CHASQUI_DEMO: 'maybe' };
  for (const words of [['serve'], ['doctor']]) {
    const { code, stdout, stderr } = await run(words, env);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(
      stderr,
      /^chasqui: The configuration has 2 problem\(s\):\n {2}CHASQUI_HTTP_PORT .*\n {2}CHASQUI_DEMO .*\n$/,
    );
  }
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
