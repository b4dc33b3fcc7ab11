import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startTestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

async function stopsIn(service: { stop: () => Promise<void> }): Promise<number> {
  const began = performance.now();
  await service.stop();
  return performance.now() - began;
}

test('a connection whose answer ends during the stop is not kept alive', async (t) => {
  const service = await startTestService({ roles: 'api' });
  const { api, api_key, instance } = await service.tenant();
  const contacts = [{ contact: 'ana@example.com', contact_type: 'email_address' }];
  const { json } = await api.post('/v1/rights-requests', { kind: 'access', contacts });
  const socket = connect(Number(new URL(service.base_url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString('latin1')));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = service.db.transaction(async (tx) => {
    await tx.query('lock table form_submissions in access exclusive mode');
    locked.resolve();
    await released;
  });
  await locked.promise;
  socket.write(
    `GET /v1/rights-requests/${json.id}/archive HTTP/1.1\r\nhost: localhost\r\n` +
      `authorization: Bearer ${api_key}\r\nx-instance-slug: ${instance.slug}\r\n\r\n`,
  );
  await waitFor(() => received.includes('\r\n\r\n'), { what: 'the beginning of the answer' });
  const stopping = stopsIn(service);
  await setTimeout(500);
  release();
  await holding;
  const ms = await stopping;
  assert.match(received, /^HTTP\/1\.1 200 [\s\S]*\r\n0\r\n\r\n$/);
  assert.ok(ms < 10_000, `${ms} ms`);
});

test('a connection without a request, as browsers open them in advance, does not hold up a stop', async (t) => {
  const service = await startTestService({ roles: 'api' });
  const socket = connect(Number(new URL(service.base_url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  assert.equal((await fetch(`${service.base_url}/healthz`)).status, 200);
  const ms = await stopsIn(service);
  assert.ok(ms < 10_000, `${ms} ms`);
});
