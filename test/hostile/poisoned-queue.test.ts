import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { bombs } from '../../src/templates/liquid-bombs.fixture.ts';
import { makeBed } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const deadlySubject = 'this mail kills the process that builds it';
const secret = 'a root secret for tests, and for tests alone';

/** Accepts, and does not deliver. */
async function startAccepting(t: TestContext): Promise<{ service: TestService; tenant: Tenant }> {
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  const service = await startTestService({ database, roles: 'api', env: { CHASQUI_SECRET: secret } });
  t.after(async () => await service.stop());
  return { service, tenant: await service.tenant() };
}

async function send({ api, instance }: Tenant, content: object, recipients = 1): Promise<string> {
  const { status, json, text } = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: Array.from({ length: recipients }, (_, index) => ({ email: `p${index}@sandbox.test` })),
    subject: 'Hello',
    html: '<p>Hello</p>',
    ...content,
  });
  assert.equal(status, 200, text);
  return json.message_id;
}

interface Ended {
  status: number;
  reason: string | null;
  count: number;
}

const endsOf = async ({ db }: TestService, message_id: string): Promise<Ended[]> =>
  await db.query<Ended & Record<string, unknown>>(
    `select m.status, e.reason, count(*)::int as count from mails m
     left join events e on e.mail_id = m.mail_id and e.status = m.status
     where m.msg_id = $1 group by 1, 2`,
    [message_id],
  );

const isOver = async ({ db }: TestService): Promise<boolean> =>
  (await db.query('select from queue limit 1')).length === 0;

test('a node with poisoned mail in its queue starts, delivers the rest and bounces it', async (t) => {
  const { service, tenant } = await startAccepting(t);
  const poison = [
    `{% assign r = (1..2000) %}{{ r | find_exp: "x", "r | find_exp: 'y', 'y == 0'" }}`,
    bombs['a range that never ends'],
    bombs['loops in loops'],
    bombs['a list that doubles'],
    'a{{',
  ];
  const poisoned = await Promise.all(poison.map(async () => await send(tenant, {})));
  for (const [index, message_id] of poisoned.entries()) {
    // As an earlier version would have accepted it.
    await service.db.query(
      "update messages set content_kind = 'liquid', html = convert_to($2, 'UTF8') where msg_id = $1",
      [message_id, poison[index]],
    );
  }
  const fine = await send(tenant, {}, 50);
  const { database } = service;
  const node = await startTestService({ database, roles: 'delivery', env: { CHASQUI_SECRET: secret } });
  t.after(async () => await node.stop());
  await waitFor(async () => await isOver(service), { timeout_ms: 60_000, what: 'all mail to be over' });
  assert.deepEqual(await endsOf(service, fine), [{ status: 3, reason: null, count: 50 }]);
  for (const message_id of poisoned) {
    assert.deepEqual(await endsOf(service, message_id), [{ status: 6, reason: 'template_failed', count: 1 }]);
  }
});

test('a mail that kills its node does so three times at most, and other mail is sent', async (t) => {
  const { service, tenant } = await startAccepting(t);
  const bed = makeBed(t, {
    DATABASE_URL: service.database.url,
    CHASQUI_SECRET: secret,
    CHASQUI_DEMO: 'false',
    DEADLY_SUBJECT: deadlySubject,
    NODE_OPTIONS: `--import ${new URL('killing-mail.fixture.ts', import.meta.url).href}`,
  });
  const fine = await send(tenant, {}, 40);
  const deadly = await send(tenant, { subject: deadlySubject });
  const other = await service.tenant();
  const others = await send(other, {}, 40);
  let deaths = 0;
  for (; !(await isOver(service)) && deaths < 6;) {
    // What the dead held is taken up by the next, without the 90 s that it would wait for a sign of life.
    await service.db.query("update delivery_nodes set seen_at = seen_at - interval '100 s'");
    // It may die before it says that it is ready.
    const node = await bed.serve(['--roles', 'delivery']).catch(() => undefined);
    if (node === undefined) {
      deaths += 1;
      continue;
    }
    const { child } = node;
    const isDead = (): boolean => child.exitCode !== null || child.signalCode !== null;
    await waitFor(async () => isDead() || (await isOver(service)), {
      timeout_ms: 60_000,
      interval_ms: 100,
      what: 'the end of the node or of all mail',
    });
    if (isDead()) deaths += 1;
  }
  assert.deepEqual(await endsOf(service, deadly), [{ status: 6, reason: 'delivery_crashed', count: 1 }]);
  assert.deepEqual(await endsOf(service, fine), [{ status: 3, reason: null, count: 40 }]);
  assert.deepEqual(await endsOf(service, others), [{ status: 3, reason: null, count: 40 }]);
  // Once in a batch, and twice by itself.
  assert.equal(deaths, 3);
});
