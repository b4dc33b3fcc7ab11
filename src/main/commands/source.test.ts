import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { runCommandLine } from '../command-line.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

async function chasqui(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const result = { code: 0, stdout: '', stderr: '' };
  result.code = await runCommandLine(words, {
    env: { DATABASE_URL: service.database.url },
    out: (text) => void (result.stdout += text),
    err: (text) => void (result.stderr += text),
  });
  return result;
}

test('source addresses are added, listed, assigned and removed from the command line', async () => {
  const { slug } = (await service.tenant()).instance;
  assert.match((await chasqui('source', 'list')).stdout, /^There are no source addresses/);
  const added = await chasqui('source', 'add', '2001:db8::5', '--ehlo', 'Out1.Example.com');
  assert.equal(added.stdout, '2001:db8::5 sends for pool default.\n', added.stderr);
  await chasqui('source', 'add', '192.0.2.5', '--ehlo', 'out2.example.com', '--pool', 'bulk', '--warm');
  assert.equal(
    (await chasqui('source', 'assign', '--instance', slug, '--pool', 'bulk')).stdout,
    `${slug} sends from bulk.\n`,
  );
  const { data, assignments } = JSON.parse((await chasqui('source', 'list', '--json')).stdout);
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => [
      each['pool'],
      each['address'],
      each['ehlo_name'],
      each['daily_cap'],
    ]),
    [
      ['bulk', '192.0.2.5', 'out2.example.com', null],
      ['default', '2001:db8::5', 'out1.example.com', 50],
    ],
  );
  assert.deepEqual(assignments, [{ instance: slug, pool: 'bulk' }]);
  assert.match(
    (await chasqui('source', 'list')).stdout,
    /day 1: 50 mails to each provider\n.* sends from bulk\n$/,
  );

  const last = await chasqui('source', 'remove', '192.0.2.5');
  assert.match(last.stderr, /the last address of bulk, which .* sends from/);
  await chasqui('source', 'assign', '--instance', slug, '--pool', 'default');
  assert.equal((await chasqui('source', 'remove', '192.0.2.5')).code, 0);
  const actions = await service.db.query<{ action: string }>(
    "select action from audit_events where action like 'source%' order by id",
  );
  assert.deepEqual(
    actions.map(({ action }) => action),
    [
      'source_address.added',
      'source_address.added',
      'source_pool.assigned',
      'source_pool.assigned',
      'source_address.removed',
    ],
  );
});

test('an invalid address is reported in one line', async () => {
  const { slug } = (await service.tenant()).instance;
  await chasqui('source', 'add', '192.0.2.9', '--ehlo', 'out9.example.com');
  const wrong: [string[], RegExp][] = [
    [['add', 'nowhere', '--ehlo', 'a.example.com'], /must be an IP address/],
    [['add', '192.0.2.6', '--ehlo', 'no name'], /must be a host name/],
    [['add', '192.0.2.6', '--ehlo', 'a.example.com', '--pool', 'Bulk!'], /small letters/],
    [['add', '192.0.2.9', '--ehlo', 'a.example.com'], /is a source address already/],
    [['remove', '192.0.2.77'], /is not a source address/],
    [['assign', '--instance', slug, '--pool', 'empty'], /has no addresses/],
  ];
  for (const [words, expected] of wrong) {
    const { code, stderr } = await chasqui('source', ...words);
    assert.notEqual(code, 0);
    assert.match(stderr, expected);
  }
});
