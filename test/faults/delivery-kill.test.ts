import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addVerifiedDomain, sendFrom } from '../../src/deliver/delivery-bed.fixture.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { delay, startRemoteMx, type RemoteMxMessage } from '../support/remote-mx.ts';
import { makeBed, type ServiceProcess } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const mails = 400;
const kills = 5;
/** The first message of a duplicate must have been accepted on a connection that ended with a node. */
const endOfNodeMs = 1_500;

test('nodes killed under load lose no mail, and repeat only what the dead one had not written down', async (t) => {
  const dns = await startDnsServer({});
  t.after(dns.stop);
  const mx = await startRemoteMx({ script: { BODY: () => delay(50 + Math.random() * 150) } });
  t.after(mx.stop);
  dns.set('remote.test', 'MX', ['10 mx.remote.test']);
  dns.set('mx.remote.test', 'A', ['127.0.0.1']);
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  const secret = 'a root secret for tests, and for tests alone';
  const bed = makeBed(t, {
    DATABASE_URL: database.url,
    CHASQUI_SECRET: secret,
    CHASQUI_DEMO: 'false',
    CHASQUI_LOG_LEVEL: 'error',
    CHASQUI_DNS_SERVERS: dns.address,
    CHASQUI_MX_PORT: String(mx.port),
    CHASQUI_MX_ALLOW_PRIVATE: 'true',
    CHASQUI_DELIVERY_LEASE_SECONDS: '4',
  });
  const service = await startTestService({ database, roles: 'api' });
  t.after(async () => await service.stop());
  const tenant = await service.tenant();
  await addVerifiedDomain(service, tenant);
  const startNode = async (): Promise<ServiceProcess> => await bed.serve(['--roles', 'delivery']);
  const nodes = await Promise.all([startNode(), startNode(), startNode()]);

  for (let from = 0; from < mails; from += 50) {
    const to = Array.from({ length: 50 }, (_, index) => ({ email: `n${from + index}@remote.test` }));
    await sendFrom(tenant, '', { to });
  }
  const killed: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const enough = Math.min(mails - 20, mx.messages.length + 20);
    await waitFor(() => mx.messages.length >= enough, { timeout_ms: 20_000, what: 'mail to be under way' });
    await sleep(Math.random() * 100);
    const index = Math.floor(Math.random() * nodes.length);
    const [victim] = nodes.splice(index, 1);
    victim?.child.kill('SIGKILL');
    killed.push(Date.now());
    if (victim) await once(victim.child, 'exit').catch(() => undefined);
    nodes.push(await startNode());
  }

  const countOf = async (sql: string): Promise<number> =>
    (await service.db.query<{ count: number }>(sql))[0]?.count ?? -1;
  await waitFor(
    async () => (await countOf('select count(*)::int as count from mails where status = 3')) === mails,
    {
      timeout_ms: 60_000,
      interval_ms: 100,
      what: () => `all mails to be sent (${mx.messages.length} messages came)`,
    },
  );

  const received = Map.groupBy(mx.messages, ({ rcpt_to }) => rcpt_to[0] ?? '');
  assert.equal(received.size, mails, 'every mail was received');
  assert.equal(await countOf('select count(*)::int as count from queue'), 0);
  assert.equal(
    await countOf(
      "select count(*)::int as count from (select mail_id from events where event = 'sent' group by 1) e",
    ),
    mails,
  );
  assert.equal(await countOf("select count(*)::int as count from events where event = 'sent'"), mails);
  assert.equal(await countOf("select count(*)::int as count from events where event = 'bounced'"), 0);
  const repeated = [...received.values()].filter((copies) => copies.length > 1);
  const endedWithNode = ({ session }: RemoteMxMessage): boolean =>
    killed.some((at) => Math.abs((session.closed_at?.getTime() ?? 0) - at) < endOfNodeMs);
  for (const copies of repeated) {
    assert.ok(
      copies.slice(0, -1).every(endedWithNode),
      'a repeated mail was last accepted by a node that lived on',
    );
  }
  const deferred = await countOf("select count(*)::int as count from events where event = 'deferred'");
  t.diagnostic(
    `${mails} mails, ${killed.length} nodes killed: ${mx.messages.length} accepted, ${repeated.length} repeated, ` +
      `${mx.unaccepted_messages.length} cut short, ${deferred} deferred`,
  );
});
