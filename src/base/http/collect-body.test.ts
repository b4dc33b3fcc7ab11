import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

test('a client that leaves while it is being authenticated holds no memory', async (t) => {
  const service = await startTestService({ roles: 'api' });
  t.after(async () => await service.stop());
  const tenant = await service.tenant();
  const headers = {
    authorization: `Bearer ${tenant.api_key}`,
    'x-instance-slug': tenant.instance.slug,
    'content-type': 'application/json',
  };
  const heldBytes = async (): Promise<number> => {
    const text = await (await fetch(`${service.metrics_url}/metrics`)).text();
    return Number(/^chasqui_body_memory_bytes (\S+)/m.exec(text)?.[1]);
  };
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await service.db.transaction(async (tx) => {
    await tx.query('lock table api_keys in access exclusive mode');
    const post = request(`${service.base_url}/v1/mails/send`, {
      method: 'POST',
      headers: { ...headers, 'content-length': 15_000_000 },
    });
    post.on('error', () => undefined);
    post.flushHeaders();
    await waitFor(async () => (await tx.query(waiting)).length > 0, { what: 'the look-up of the key' });
    post.destroy();
    // The service has to see it leave.
    await delay(200);
  });
  const { status } = await tenant.api.get('/v1/senders');
  assert.equal(status, 200, 'the look-up has ended');
  await delay(100);
  await waitFor(async () => (await heldBytes()) === 0, { what: 'the memory to be free' });
});
