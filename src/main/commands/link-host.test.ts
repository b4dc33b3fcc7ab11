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

test('links to a host are taken down, listed and restored from the command line', async () => {
  assert.equal((await chasqui('link-host', 'list')).stdout, 'No host is taken down.\n');
  const taken = await chasqui('link-host', 'take-down', 'Phish.Example.', '--reason', 'Asks for passwords');
  assert.equal(taken.stdout, 'Links to phish.example are taken down.\n', taken.stderr);
  const { data } = JSON.parse((await chasqui('link-host', 'list', '--json')).stdout);
  assert.deepEqual(
    data.map(({ host, reason }: Record<string, unknown>) => [host, reason]),
    [['phish.example', 'Asks for passwords']],
  );
  assert.match((await chasqui('link-host', 'list')).stdout, /^HOST +TAKEN DOWN +REASON\nphish\.example /i);
  const refused = await chasqui('link-host', 'take-down', 'com');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /public suffix/);
  assert.equal(
    (await chasqui('link-host', 'restore', 'phish.example')).stdout,
    'Links to phish.example lead there again.\n',
  );
  assert.equal((await chasqui('link-host', 'restore', 'phish.example')).code, 1);
  const trail = await service.db.query(
    "select actor_kind, action from audit_events where object_id = 'phish.example' order by id",
  );
  assert.deepEqual(trail, [
    { actor_kind: 'operator', action: 'link_host.taken_down' },
    { actor_kind: 'operator', action: 'link_host.restored' },
  ]);
});
