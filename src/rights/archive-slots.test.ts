import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { openSocket, requestBytes } from '../../test/acceptance/raw-http.fixture.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { lockChain } from '../consent/chain/chain.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';

const path = '/v1/rights-requests';
let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

interface Asking {
  path: string;
  headers: Record<string, string>;
}

const contact = 'unread@sandbox.test';

/** Mail that compresses badly, more of it than the system buffers between the two ends. */
async function sendLarge({ api, instance }: Tenant): Promise<void> {
  for (let sent = 0; sent < 6; sent += 1) {
    const { status } = await api.post('/v1/mails/send', {
      sender_email: `test@${instance.slug}.sandbox.test`,
      to: [{ email: contact }],
      subject: 'Large',
      html: randomBytes(3 * 1024 * 1024).toString('base64'),
    });
    assert.equal(status, 200);
  }
}

async function archiveOf({ api, api_key, instance }: Tenant): Promise<Asking> {
  const contacts = [{ contact, contact_type: 'email_address' }];
  const { json } = await api.post(path, { kind: 'access', contacts });
  return {
    path: `${path}/${json.id}/archive`,
    headers: { authorization: `Bearer ${api_key}`, 'x-instance-slug': instance.slug },
  };
}

/** Whether it begins; the rest is left. */
async function begin({ path: asked, headers }: Asking): Promise<number> {
  const response = await fetch(service.base_url + asked, { headers });
  await response.body?.cancel();
  return response.status;
}

/** The answer begins, and is not read. */
async function leaveUnread(asking: Asking): Promise<Socket> {
  const socket = openSocket(service.base_url);
  socket.write(requestBytes(asking));
  await once(socket, 'readable');
  return socket;
}

test('clients that leave while their archive is prepared take no slot with them', async () => {
  const { api, api_key, instance } = await service.tenant();
  const contacts = [{ contact: 'ana@example.com', contact_type: 'email_address' }];
  const { json } = await api.post(path, { kind: 'access', contacts });
  const get = async (signal?: AbortSignal): Promise<number> => {
    const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': instance.slug };
    const response = await fetch(`${service.base_url}${path}/${json.id}/archive`, {
      headers,
      ...(signal ? { signal } : {}),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const leaving = new AbortController();
  const left = await service.db.transaction(async (tx) => {
    await lockChain(tx, instance.id);
    const asked = [get(leaving.signal), get(leaving.signal)];
    await waitForLocks(service.db, 2);
    assert.equal(await get(), 429);
    leaving.abort();
    await Promise.allSettled(asked);
    return asked;
  });
  assert.deepEqual(
    (await Promise.allSettled(left)).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await waitFor(async () => (await get()) === 200, { what: 'a slot' });
});

test('unread archives do not take slots from other instances', async () => {
  const [first, second] = [await service.tenant(), await service.tenant()];
  await sendLarge(first);
  const [unread, other] = [await archiveOf(first), await archiveOf(second)];
  const sockets = [await leaveUnread(unread), await leaveUnread(unread)];
  assert.equal(await begin(unread), 429, 'the third of one instance');
  assert.equal(await begin(other), 200);
  for (const socket of sockets) socket.destroy();
  await waitFor(async () => (await begin(unread)) === 200, { what: 'a slot' });
});
