import { parseApiKey } from '../../src/credentials/api-key.ts';
import type { Tenant, TestService } from './test-service.ts';
import { waitFor } from './wait-for.ts';

const probers = new WeakMap<TestService, Tenant & { is_revoked: boolean }>();

/**
 * Until the service has received the notifications of all that was committed. They arrive in the order of the commits: the
 * last one is of a key of another instance, and shows in what that key is answered.
 */
export async function awaitNotifications(service: TestService): Promise<void> {
  const prober = probers.get(service) ?? { ...(await service.tenant()), is_revoked: false };
  probers.set(service, prober);
  const { api, api_key } = prober;
  const becomes = async (status: number): Promise<unknown> =>
    await waitFor(async () => (await api.get('/v1/fields')).status === status, {
      what: 'the notification of a change',
    });
  // What it has not looked up it need not be told.
  await becomes(prober.is_revoked ? 401 : 200);
  prober.is_revoked = !prober.is_revoked;
  await service.db.query('update api_keys set revoked_at = case when $2 then now() end where id = $1', [
    parseApiKey(api_key)?.id,
    prober.is_revoked,
  ]);
  await becomes(prober.is_revoked ? 401 : 200);
}
