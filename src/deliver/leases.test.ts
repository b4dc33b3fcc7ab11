import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';

const pause = async ({ service, tenant }: DeliveryBed, domain: string): Promise<void> =>
  await pauseDestination(service, tenant.instance.id, domain);
const resume = async ({ service }: DeliveryBed): Promise<void> => {
  await service.db.query('delete from paused_destinations');
  await service.db.query("select pg_notify('chasqui_queue', '')");
};

test('a node that was silent for a while sends nothing that it no longer has', async (t) => {
  const bed = await startDeliveryBed({ CHASQUI_NODE_DEAD_SECONDS: '3' });
  t.after(async () => await bed.stop());
  const [atData, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const remote = await bed.remote(t, {
    script: {
      DATA: async () => {
        atData.resolve();
        await goOn.promise;
        return undefined;
      },
    },
  });
  const second = await bed.remote(t);
  bed.dns.set(remote.domain, 'MX', [`10 ${remote.host}`, `20 ${second.host}`]);
  const { db } = bed.service;
  await bed.send(`taken@${remote.domain}`);
  await atData.promise;
  const unlocked = Promise.withResolvers<void>();
  // No heartbeat gets through.
  const locking = db.transaction(async (tx) => {
    await tx.query('lock table nodes in exclusive mode');
    await unlocked.promise;
  });
  try {
    await waitFor(
      async () => (await db.query(`select from nodes where seen_at > now() - interval '1.2 s'`)).length === 0,
      { what: 'the node to be silent' },
    );
    // As another node does that takes it for dead.
    await db.query(`update queue set lease = null, due_at = now() + interval '1 hour'`);
    goOn.resolve();
    await waitFor(() => remote.mx.sessions.some(({ closed_at }) => closed_at !== undefined), {
      what: 'the end of the session',
    });
  } finally {
    unlocked.resolve();
    await locking;
  }
  assert.equal(remote.mx.messages.length, 0);
  const [entry] = await db.query<{ lease: string | null }>('select lease from queue');
  assert.equal(entry?.lease, null, 'nor does its outcome count');
  assert.equal(second.mx.sessions.length, 0, 'nor is another server tried');
});

test('mail of a claim whose answer was lost goes out soon', async (t) => {
  const link = await createDatabaseLink();
  const bed = await startDeliveryBed({}, { database: link.database });
  t.after(async () => {
    await bed.stop();
    await link.stop();
  });
  const remote = await bed.remote(t);
  await pause(bed, remote.domain);
  await bed.send(`waits@${remote.domain}`);
  const claimed = Buffer.from(`"destination": "${remote.domain}"`);
  const { isLost } = link.loseAnswer((bytes) => bytes.includes(claimed) && bytes.includes('"attempts": 1'));
  await resume(bed);
  const log = await bed.becomes(`waits@${remote.domain}`, 3, 15_000);
  assert.ok(isLost());
  assert.deepEqual(
    log.map(({ event, data }) => [event, data['attempt']]),
    [['sent', 1]],
  );
});

test('a node that cannot ask whether it still has a mail sends it later, as the same attempt', async (t) => {
  const link = await createDatabaseLink();
  const bed = await startDeliveryBed({ CHASQUI_NODE_DEAD_SECONDS: '3' }, { database: link.database });
  t.after(async () => {
    await bed.stop();
    await link.stop();
  });
  const [atData, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const remote = await bed.remote(t, {
    script: {
      DATA: async () => {
        atData.resolve();
        await goOn.promise;
        return undefined;
      },
    },
  });
  await bed.send(`asked@${remote.domain}`);
  await atData.promise;
  await link.cut();
  // From a third of the time on, others may be about to take it for dead.
  await waitFor(
    async () => {
      const metrics = await (await fetch(`${bed.service.metrics_url}/metrics`)).text();
      return Number(/^chasqui_node_heartbeat_age_seconds (\S+)$/m.exec(metrics)?.[1]) > 1.1;
    },
    { what: 'the last heartbeat to grow old' },
  );
  goOn.resolve();
  await waitFor(() => remote.mx.sessions.some(({ closed_at }) => closed_at !== undefined), {
    what: 'the end of the session',
  });
  assert.equal(remote.mx.messages.length, 0);
  await link.mend();
  const log = await bed.becomes(`asked@${remote.domain}`, 3, 15_000);
  assert.deepEqual(
    log.map(({ event, data }) => [event, data['attempt']]),
    [['sent', 1]],
  );
  assert.equal(remote.mx.messages.length, 1);
});
