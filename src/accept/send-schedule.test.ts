import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { planPeriod, readPlanUsage } from '../limits/index.ts';
import { countMessages, openAccount, setInstance, startAccepting, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service, { settings: { plan_send_limit: 100 } });
});
after(async () => await service.stop());

const hourMs = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * hourMs);

interface Placed {
  schedule_at: Date | null;
  due_at: Date;
  received_at: Date;
  ready_priority: number | null;
  lease: string | null;
  status: number;
}

async function placed(msg_id: string): Promise<Placed[]> {
  return await service.db.query<Placed & Record<string, unknown>>(
    `select m.schedule_at, m.status, m.received_at, q.due_at, q.ready_priority, q.lease
     from mails m join queue q using (mail_id) where m.msg_id = $1`,
    [msg_id],
  );
}

test('a scheduled mail is queued, due at its time and counted in the plan, in every way of reading it', async () => {
  const at = inHours(24);
  const offset = new Date(at.getTime() - 3 * hourMs).toISOString().replace('Z', '-03:00');
  const { status, json, text } = await account.sendOut(2, { schedule_at: offset });
  assert.equal(status, 200, text);
  const rows = await placed(json.message_id);
  assert.deepEqual(
    rows.map(({ received_at: _received_at, ...row }) => row),
    [1, 2].map(() => ({ schedule_at: at, status: 2, due_at: at, ready_priority: null, lease: null })),
  );
  const plan = planPeriod(account.instance, new Date());
  assert.equal(await readPlanUsage(service.db, plan), 2, 'counted at acceptance');

  const list = await account.api.get(`/v1/mails?msg_id=${json.message_id}`);
  assert.deepEqual(
    list.json.data.map((mail: { status: number; schedule_at: string }) => [mail.status, mail.schedule_at]),
    [1, 2].map(() => [2, at.toISOString()]),
  );
  const [{ mail_id }] = list.json.data;
  assert.equal((await account.api.get(`/v1/mails/${mail_id}`)).json.schedule_at, at.toISOString());
  const exported = await account.api.get(
    `/v1/activities/sent/export?format=json&msg_id=${json.message_id}&tz=UTC`,
  );
  assert.equal(new Date(exported.json.data[0].schedule_at).getTime(), at.getTime());
  const logs = await account.api.get(`/v1/mails/${mail_id}/logs`);
  assert.deepEqual(
    logs.json.data.map((line: { event: string; schedule_at: string | null }) => [
      line.event,
      line.schedule_at,
    ]),
    [
      ['received', null],
      ['queued', at.toISOString()],
    ],
  );
});

test('a time that has passed means now, as does none', async () => {
  for (const schedule_at of [inHours(-1).toISOString(), null, undefined]) {
    const { json } = await account.send({ schedule_at });
    const [row] = await placed(json.message_id);
    assert.deepEqual([row?.schedule_at, row?.ready_priority], [null, 0]);
    assert.deepEqual(row?.due_at, row?.received_at);
  }
});

test('a time that is too late, without an offset or not a time is refused with everything else', async () => {
  const beforeIt = await countMessages(account);
  for (const [schedule_at, code] of [
    [inHours(60 * 24 + 1).toISOString(), 'value_error.schedule_too_late'],
    ['2026-12-01T09:00:00', 'value_error.date_time'],
    ['tomorrow', 'value_error.date_time'],
    ['', 'value_error.date_time'],
    [1_800_000_000, 'string_type'],
  ] as const) {
    const answer = await account.send({ schedule_at, category: '€' });
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer).toSorted(), [
      '/category value_error.category',
      `/schedule_at ${code}`,
    ]);
  }
  assert.equal(await countMessages(account), beforeIt);
});

test('an instance with a shorter retention schedules within it', async () => {
  const brief = await openAccount(service, { settings: { retention_months: 1 } });
  await setInstance(service, brief.instance.id, { retention_months: 1 });
  assertProblem(await brief.send({ schedule_at: inHours(40 * 24).toISOString() }), 'validation_error');
  assert.equal((await brief.send({ schedule_at: inHours(20 * 24).toISOString() })).status, 200);
});

test('a form takes it as a text part, and a header of its name is refused with the member to use', async () => {
  const at = inHours(2).toISOString();
  const form = new FormData();
  for (const [name, value] of Object.entries(account.mail({ schedule_at: at }))) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    body: form,
    headers: account.headers,
  });
  const { message_id } = (await response.json()) as { message_id: string };
  assert.equal((await placed(message_id))[0]?.schedule_at?.toISOString(), at);
  const refused = await account.send({ headers: { 'X-Chq-Schedule-At': at } });
  assert.match(JSON.stringify(refused.json.errors), /use schedule_at instead/);
});
