import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import { createApi } from '../../test/support/api.ts';
import { holdProcessTime } from '../../test/support/hold-process-time.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, setInstance, startAccepting, type Account } from './account.fixture.ts';

/** Longer than the settings of an instance are remembered. */
const aWhileMs = 6_000;
/** Far from both ends of the present month, whose partitions there are. */
const today = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 15, 12));
const clock = createMovableClock(today);
let service: TestService;
let other: TestService;
before(async () => {
  service = await startAccepting({ clock });
  other = await startAccepting({ clock, database: service.database });
});
after(async () => {
  await other.stop();
  await service.stop();
});

async function planned(plan_send_limit: number | null, more: Record<string, unknown> = {}): Promise<Account> {
  return await openAccount(service, { settings: { plan_send_limit, ...more } });
}

/** Changes settings so that they hold for the next send, whether or not the notification has arrived by then. */
function changing(t: TestContext, { instance }: Account) {
  const time = holdProcessTime(t);
  return async (settings: Record<string, unknown>): Promise<void> => {
    await setInstance(service, instance.id, settings);
    time.advance(aWhileMs);
  };
}

/** How many of the mails were accepted, and how many the plan counts. */
async function counts({ instance }: Account): Promise<{ accepted: number; used: number }> {
  const [row] = await service.db.query<{ accepted: number; used: number }>(
    `select (select count(*) from mails where instance_id = $1) as accepted,
       (select used from plan_usage where instance_id = $1 order by period desc limit 1) as used`,
    [instance.id],
  );
  return row ?? { accepted: 0, used: 0 };
}

test('the last recipient of the plan is written to, a send that would pass it is refused whole', async () => {
  const account = await planned(3);
  assert.equal((await account.sendOut(2)).status, 200);
  assertProblem(await account.sendOut(2), 'plan_send_limit_exceeded');
  assert.equal((await account.sendOut(1)).status, 200);
  assertProblem(await account.sendOut(1), 'plan_send_limit_exceeded');
  assert.deepEqual(await counts(account), { accepted: 3, used: 3 });
  const none = await planned(0);
  assertProblem(await none.sendOut(1), 'plan_send_limit_exceeded');
  const inactive = await planned(null, { subscription_status: 'inactive' });
  assertProblem(await inactive.sendOut(1), 'subscription_inactive');
  assertProblem(await inactive.send(), 'subscription_inactive');
});

for (const most of [1, 3]) {
  test(`sends to up to ${most} at a time, 40 at once over two nodes, never pass the plan`, async () => {
    const account = await planned(25);
    const { api_key, instance } = account;
    const apis = [account.api, createApi({ base_url: other.base_url, api_key, slug: instance.slug })];
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const to = Array.from({ length: 1 + (index % most) }, (__, each) => ({
          email: `p${each}@example.com`,
        }));
        const body = account.mail({ sender_email: account.sender.email, to });
        return { recipients: to.length, ...(await apis[index % 2]?.post('/v1/mails/send', body)) };
      }),
    );
    const accepted = answers
      .filter(({ status }) => status === 200)
      .reduce((sum, { recipients }) => sum + recipients, 0);
    assert.ok(answers.every(({ status }) => status === 200 || status === 402));
    assert.deepEqual(await counts(account), { accepted, used: accepted });
    assert.ok(accepted <= 25 && accepted > 25 - most, `${accepted} of 25`);
  });
}

for (const zone of ['America/Santiago', 'Pacific/Auckland', 'UTC']) {
  test(`the plan begins anew with the month of ${zone}`, async () => {
    const now = Temporal.Instant.fromEpochMilliseconds(today.getTime());
    const month = now.toZonedDateTimeISO(zone).toPlainDate().with({ day: 1 });
    const turn = month.add({ months: 1 }).toZonedDateTime(zone).epochMilliseconds;
    const account = await planned(2, { timezone: zone });
    clock.set(new Date(turn - 2));
    assert.equal((await account.sendOut(2)).status, 200);
    clock.set(new Date(turn - 1));
    assertProblem(await account.sendOut(1), 'plan_send_limit_exceeded');
    clock.set(new Date(turn));
    assert.equal((await account.sendOut(2)).status, 200);
    assertProblem(await account.sendOut(1), 'plan_send_limit_exceeded');
    const rows = await service.db.query(
      'select period::text, used from plan_usage where instance_id = $1 order by period',
      [account.instance.id],
    );
    assert.deepEqual(rows, [
      { period: month.toString(), used: 2 },
      { period: month.add({ months: 1 }).toString(), used: 2 },
    ]);
    clock.set(today);
  });
}

test('a limit set or lowered in the middle of a month counts what was sent before', async (t) => {
  const account = await planned(null);
  const change = changing(t, account);
  await service.db.query(
    `insert into restrictions (instance_id, recipient, reason) values ($1, 'person-3@example.com', 'hard_bounce')`,
    [account.instance.id],
  );
  assert.equal((await account.sendOut(4)).status, 200, 'three are sent to, one is dropped');
  assert.equal((await account.send()).status, 200);
  await change({ plan_send_limit: 4 });
  assertProblem(await account.sendOut(2), 'plan_send_limit_exceeded');
  assertProblem(await account.sendOut(2, { sender_email: 'nobody@example.com' }), 'plan_send_limit_exceeded');
  assert.equal((await account.sendOut(1)).status, 200);
  await change({ plan_send_limit: 2 });
  assertProblem(await account.sendOut(1), 'plan_send_limit_exceeded');
  assert.equal((await account.send()).status, 200, 'the sandbox stays free');
  await change({ plan_send_limit: 5 });
  assert.equal((await account.sendOut(1)).status, 200);
  assertProblem(await account.sendOut(1), 'plan_send_limit_exceeded');
});

test('mail of a time without a limit counts when there is one again', async (t) => {
  const account = await planned(10);
  const change = changing(t, account);
  assert.equal((await account.sendOut(3)).status, 200);
  await change({ plan_send_limit: null });
  assert.equal((await account.sendOut(5)).status, 200);
  await change({ plan_send_limit: 10 });
  assertProblem(await account.sendOut(3), 'plan_send_limit_exceeded');
  assert.equal((await account.sendOut(2)).status, 200);
});

test('a failed commit gives back what it took from the plan', async () => {
  const account = await planned(1);
  await service.db.query('alter table message_attachments rename to elsewhere');
  try {
    const attachments = [{ type: 'a/b', filename: 'a', content: 'YQ==' }];
    assertProblem(await account.sendOut(1, { attachments }), 'internal_error');
  } finally {
    await service.db.query('alter table elsewhere rename to message_attachments');
  }
  assert.equal((await account.sendOut(1)).status, 200);
  assertProblem(await account.sendOut(1), 'plan_send_limit_exceeded');
});
