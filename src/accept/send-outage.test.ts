import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createDatabaseLink, type DatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { countMessages, openAccount, startAccepting, type Account } from './account.fixture.ts';
import { halfWritten } from './half-written.fixture.ts';

let link: DatabaseLink;
let service: TestService;
let account: Account;
before(async () => {
  link = await createDatabaseLink();
  service = await startAccepting({ database: link.database });
  account = await openAccount(service, { settings: { plan_send_limit: 1_000_000 } });
});
after(async () => {
  await service.stop();
  await link.stop();
});

async function recovered(): Promise<void> {
  await waitFor(async () => (await account.sendOut(1)).status === 200, { timeout_ms: 15_000 });
}

test('while the database is out of reach a send is a 503 to try again, and nothing of it is written', async () => {
  await recovered();
  const written = await countMessages(account);
  await link.cut();
  const changes = [{}, { category: 'never seen' }, { template_id: 5, subject: undefined, html: undefined }];
  for (const change of changes) {
    const answer = await account.sendOut(2, change);
    assertProblem(answer, 'service_unavailable');
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  await link.mend();
  await recovered();
  assert.equal(await countMessages(account), written + 1);
  assert.deepEqual(await service.db.query(halfWritten), []);
});

test('connections that break under sends cost 503s; what was answered 200 is there, whole and once', async () => {
  const answers = new Map<string, number>();
  let going = true;
  const clients = Array.from({ length: 12 }, async (_, client) => {
    for (let count = 0; going; count += 1) {
      const custom_msg_id = `${client}/${count}`;
      const content = Buffer.alloc(count % 5 === 0 ? 300_000 : 10, 7).toString('base64');
      const attachments = count % 3 === 0 ? [{ type: 'a/b', filename: 'a', content }] : [];
      const { status } = await account.sendOut(1 + (count % 3), { custom_msg_id, attachments });
      answers.set(custom_msg_id, status);
    }
  });
  for (let round = 0; round < 8; round += 1) {
    const seen = answers.size;
    await waitFor(() => answers.size > seen + 15, { timeout_ms: 15_000 });
    await service.db
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'chasqui' and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined);
  }
  going = false;
  await Promise.all(clients);
  await recovered();
  const statuses = [...answers.values()];
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 503),
    [],
  );
  const rows = await service.db.query<{ custom_msg_id: string; count: number }>(
    'select custom_msg_id, count(distinct msg_id) from mails where custom_msg_id is not null group by 1',
  );
  const times = new Map(rows.map(({ custom_msg_id, count }) => [custom_msg_id, count]));
  const wrong = [...answers].filter(([id, status]) => status === 200 && times.get(id) !== 1);
  assert.deepEqual(wrong, [], 'answered 200, but not there once');
  assert.deepEqual(
    [...times.values()].filter((count) => count > 1),
    [],
  );
  assert.deepEqual(await service.db.query(halfWritten), []);
  const lost = statuses.filter((status) => status === 503).length;
  const [usage] = await service.db.query<{ used: number; sent: number }>(
    `select used, (select count(*) from mails where status = 2 and recipient like '%@example.com') as sent
     from plan_usage where instance_id = $1`,
    [account.instance.id],
  );
  assert.ok(usage && usage.used >= usage.sent, `the plan counts ${usage?.used} of ${usage?.sent} recipients`);
  assert.ok(usage.used <= usage.sent + 3 * lost);
  console.log(`${statuses.length} sends, ${lost} of them 503`);
});
