import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { CheckFailure, examine, type Check } from '../installation/check.ts';
import { checkJob } from '../installation/check-job.ts';
import { listCheckResults, saveCheckResult } from '../installation/check-results.ts';
import { checksOfContent } from './checks.ts';
import { readConfig } from '../base/config.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

const start = new Date('2026-12-01T12:00:00Z');
const hours = (count: number): Date => new Date(start.getTime() + count * 3_600_000);

test('a check that does not apply is skipped, neither in order nor wrong', async () => {
  const check: Check = {
    name: 'other',
    action: '',
    look: async () => ({ skipped: 'not tried: a relay delivers' }),
  };
  const finding = await examine(check);
  assert.deepEqual(
    [finding.ok, finding.is_skipped, finding.detail],
    [true, true, 'not tried: a relay delivers'],
  );
  await saveCheckResult(service.db, finding, start);
  const saved = (await listCheckResults(service.db)).find((each) => each.check === 'other');
  assert.equal(saved?.is_skipped, true);
});

test('the job keeps each finding, for metrics; heavy checks run once a day', async () => {
  const looked = { light: 0, heavy: 0 };
  let wrong = true;
  const checks: Check[] = [
    {
      name: 'light',
      action: 'Look.',
      look: async () => {
        looked.light += 1;
        if (wrong) throw new CheckFailure('it is dark', 'Make light.');
        return await Promise.resolve('it is light');
      },
    },
    {
      name: 'heavy',
      action: 'Lift.',
      is_heavy: true,
      look: async () => await Promise.resolve(`looked ${(looked.heavy += 1)} times`),
    },
  ];
  const run = async (now: Date, of = checks) =>
    await checkJob(of).run({ db: service.db, now, isStopping: () => false });
  const metrics = async () => await (await fetch(`${service.metrics_url}/metrics`)).text();

  assert.equal(await run(start), '1 need attention: light');
  assert.match(await metrics(), /^chasqui_check_ok\{check="light"\} 0$/m);
  wrong = false;
  assert.equal(await run(hours(1)), 'everything is in order');
  assert.deepEqual(looked, { light: 2, heavy: 1 });
  assert.deepEqual(await listCheckResults(service.db), [
    {
      check: 'heavy',
      ok: true,
      detail: 'looked 1 times',
      action: null,
      is_skipped: false,
      checked_at: start,
    },
    {
      check: 'light',
      ok: true,
      detail: 'it is light',
      action: null,
      is_skipped: false,
      checked_at: hours(1),
    },
  ]);
  await run(hours(24));
  assert.deepEqual(looked, { light: 3, heavy: 2 });
  await run(hours(25), checks.slice(0, 1));
  const text = await metrics();
  assert.match(text, /^chasqui_check_ok\{check="light"\} 1$/m);
  assert.doesNotMatch(
    text,
    /chasqui_check_ok\{check="heavy"\}/,
    'a check that was removed leaves nothing behind',
  );
});

test('nodes of an older version are found', async () => {
  const check = checksOfContent({ db: service.db, config: readConfig({}) }).find(
    ({ name }) => name === 'nodes',
  );
  assert.ok(check);
  assert.equal((await examine(check)).ok, true);
  await service.db.query(
    `insert into nodes (id, pid, roles, version, started_at, seen_at) values ('0000000a', 1, '{api}', '99.10.0', now(), now()),
       ('0000000b', 1, '{api}', '99.9.0', now(), now())`,
  );
  const { ok, detail, action } = await examine(check);
  assert.equal(ok, false);
  assert.match(detail, /^2 of 3 nodes are older than 99\.10\.0/);
  assert.match(action ?? '', /0000000b/);
  await service.db.query(`delete from nodes where id in ('0000000a', '0000000b')`);
});

test('a root secret that other users can read is found', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-secret-'));
  t.after(async () => await rm(folder, { recursive: true }));
  const file = path.join(folder, 'secret');
  await writeFile(file, 'a root secret for tests, and for tests alone', { mode: 0o600 });
  const config = readConfig({ CHASQUI_DATA_DIR: folder });
  const check = checksOfContent({ db: service.db, config }).find(({ name }) => name === 'root secret');
  assert.ok(check);
  assert.equal((await examine(check)).ok, true);
  await chmod(file, 0o640);
  const { ok, action } = await examine(check);
  assert.deepEqual([ok, action], [false, `Run \`chmod 600 ${file}\`.`]);
});
