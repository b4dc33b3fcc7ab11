import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../src/credentials/api-keys.ts';
import { setInstance } from '../../src/instances/instances.ts';
import { createApi } from '../support/api.ts';
import { signIn } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { assertProblem } from './problems.fixture.ts';

const actor = { kind: 'operator' } as const;
let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

async function tenantWith(settings: Record<string, string>): Promise<Tenant> {
  const tenant = await service.tenant();
  await setInstance(service.db, tenant.instance.slug, { settings, actor });
  return tenant;
}

test('a key that calls too often is told when to come back, and others of its instance are not', async () => {
  const tenant = await tenantWith({ requests_per_second: '1', requests_burst: '5' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => await tenant.api.get('/v1/fields')),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length >= 10 && refused.length < 20, `${refused.length} of 20 were refused`);
  for (const answer of refused) {
    assertProblem(answer, 'rate_limit_exceeded');
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  const key = { name: 'other', scopes: ['field:read'], ip_allowlist: [] };
  const { api_key } = await createApiKey(service.db, tenant.instance.id, { key, actor });
  const other = createApi({ base_url: service.base_url, api_key, slug: tenant.instance.slug });
  assert.equal((await other.get('/v1/fields')).status, 200);
});

test('a rate of 0 means no limit', async () => {
  const tenant = await tenantWith({ requests_per_second: '0', requests_burst: '1' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => await tenant.api.get('/v1/fields')),
  );
  assert.ok(answers.every(({ status }) => status === 200));
});

test('refused callers do not use up the rate of the key', async () => {
  const tenant = await tenantWith({ requests_per_second: '1', requests_burst: '2' });
  const base_url = service.base_url;
  const stranger = createApi({
    base_url,
    api_key: `${tenant.api_key.slice(0, -1)}-`,
    slug: tenant.instance.slug,
  });
  const attempts = await Promise.all(
    Array.from({ length: 20 }, async () => await stranger.get('/v1/fields')),
  );
  assert.ok(attempts.every(({ status }) => status === 401));
  assert.equal((await tenant.api.get('/v1/fields')).status, 200);
});

test('a person in the panel who calls too often is told when to come back, and others are not', async () => {
  const limited = await startTestService({
    database: service.database,
    env: { CHASQUI_PANEL_REQUESTS_PER_SECOND: '1' },
  });
  try {
    const tenant = await limited.tenant();
    const [busy, calm] = [await signIn(limited, tenant, 'viewer'), await signIn(limited, tenant, 'admin')];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await busy.get('/v1/private/queue')),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length >= 10 && refused.length < 20, `${refused.length} of 20 were refused`);
    for (const answer of refused) assertProblem(answer, 'rate_limit_exceeded');
    assert.equal((await calm.get('/v1/private/queue')).status, 200);
  } finally {
    await limited.stop();
  }
});
