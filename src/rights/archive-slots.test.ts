import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { lockChain } from '../consent/chain/chain.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';

const path = '/v1/rights-requests';
let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

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
