import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { indexSubjectsJob } from '../../activity/index-subjects.ts';
import { runErasures } from '../../rights/run-erasures.ts';
import { findTraces } from '../../rights/whole-person.fixture.ts';
import { acceptMail } from '../../webhooks/webhook-bed.fixture.ts';
import { runCommandLine } from '../command-line.ts';

const words = ['wayra', 'Condori'];
const person = { email: 'wayra@sandbox.test', name: 'Wayra Condori' };
const other = { email: 'stays@sandbox.test', name: 'Somebody' };
const folder = mkdtempSync(path.join(tmpdir(), 'chq-restore-erasures-'));
const [file, list] = ['backup.tar', 'list.jsonl'].map((name) => path.join(folder, name)) as [string, string];

/** What a command says; it must succeed. */
async function run(command: string[], url: string): Promise<string> {
  let said = '';
  const add = (text: string): void => void (said += text);
  const secret = 'a root secret for tests, and for tests alone';
  const env = { CHASQUI_DATA_DIR: folder, DATABASE_URL: url, CHASQUI_SECRET: secret };
  assert.equal(await runCommandLine(command, { env, out: add, err: add }), 0, said);
  return said;
}

/** As if no time had passed since the last run. */
const due = async ({ db }: TestService): Promise<unknown> =>
  await db.query(
    `update jobs set next_run_at = now(), claimed_until = null, lease = null
     where name like 'rights_%' or name = 'subjects'`,
  );

test('a person who was erased after the backup is erased again after its restore', async (t) => {
  t.after(() => rmSync(folder, { recursive: true }));
  const [source, target] = [await createTestDatabase(), await createTestDatabase({ empty: true })];
  t.after(async () => await Promise.all([source.drop(), target.drop()]));
  const beforeIt = await startTestService({ database: source, roles: 'api' });
  const tenant = await beforeIt.tenant();
  const job = { db: beforeIt.db, now: new Date(), isStopping: () => false };
  await acceptMail(tenant, { to: [person], subject: `For ${person.name}` });
  await acceptMail(tenant, { to: [other], subject: 'For somebody else' });
  await indexSubjectsJob.run(job);
  await run(['backup', file], source.url);

  const contacts = [{ contact: person.email, contact_type: 'email_address' }];
  const { json } = await tenant.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await tenant.api.post(`/v1/rights-requests/${json.id}/fulfil`, {});
  assert.deepEqual(await runErasures(job), { done: 1, left: 0 });
  assert.deepEqual(await findTraces(beforeIt.db, words), new Map());
  writeFileSync(list, await run(['rights', 'erasures'], source.url));
  await beforeIt.stop();

  const said = await run(['restore', file, '--to', target.url, '--erasures', list], target.url);
  assert.match(said, /erasures: 1 since the backup are carried out again/);
  const restored = await startTestService({ database: target, roles: 'api,jobs' });
  t.after(async () => await restored.stop());
  await waitFor(
    async () => {
      await due(restored);
      return (await findTraces(restored.db, words)).size === 0;
    },
    { what: 'the erasure to be carried out again', timeout_ms: 60_000, interval_ms: 200 },
  );
  const mails = await restored.db.query<{ recipient: string }>(
    'select recipient from mails order by mail_id',
  );
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    ['erased@erased.invalid', other.email],
  );
  const [left] = await restored.db.query<{ count: number }>(
    `select count(*) from suppressed_contacts where kind = 'erased'`,
  );
  assert.equal(left?.count, 1, 'and nobody writes to them again');
});
