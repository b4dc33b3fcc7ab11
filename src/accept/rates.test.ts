import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import { createApi } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createApiKey } from '../credentials/api-keys.ts';
import { openAccount, setInstance, startAccepting, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let other: TestService;
before(async () => {
  service = await startAccepting();
  other = await startAccepting({ database: service.database });
});
after(async () => {
  await other.stop();
  await service.stop();
});

const heavy: Body = { html: '<p>x</p>\n'.repeat(2_000), text: 'x' };

async function sizeOf({ instance }: Account): Promise<number> {
  const [row] = await service.db.query<{ size_bytes: number }>(
    'select max(size_bytes) as size_bytes from messages where instance_id = $1',
    [instance.id],
  );
  return row?.size_bytes ?? 0;
}

/** Makes so much time pass for a bucket. */
async function pass(key: string, seconds: number): Promise<void> {
  await service.db.query(
    `update rate_buckets set refilled_at = refilled_at - make_interval(secs => $2) where key = $1`,
    [key, seconds],
  );
}

const retryAfter = ({ headers }: { headers: Headers }): number => Number(headers.get('retry-after'));

test('a mail that the line has no room for is a 429 until the seconds of Retry-After are over', async () => {
  const probe = await openAccount(service);
  assert.equal((await probe.send(heavy)).status, 200);
  const size = await sizeOf(probe);
  const rate = 100;
  const settings = { bandwidth_burst_bytes: 3 * size + 50, bandwidth_bytes_per_second: rate };
  const account = await openAccount(service, { settings });
  const to = [{ email: 'a@sandbox.test' }, { email: 'b@sandbox.test' }];
  assert.equal((await account.send(heavy)).status, 200);
  assert.equal((await account.send({ ...heavy, to })).status, 200);
  const refused = await account.send(heavy);
  assertProblem(refused, 'rate_limit_exceeded');
  const seconds = retryAfter(refused);
  const expected = Math.ceil((size - 50) / rate);
  assert.ok(seconds <= expected && seconds >= expected - 5, `${seconds} of about ${expected} s`);
  await pass(`bandwidth ${account.instance.id}`, seconds - 5);
  const again = await account.send(heavy);
  assertProblem(again, 'rate_limit_exceeded');
  assert.ok(retryAfter(again) <= 5, `${retryAfter(again)} s`);
  await pass(`bandwidth ${account.instance.id}`, retryAfter(again));
  assert.equal((await account.send(heavy)).status, 200);
});

test('a lowered limit lets nothing through that was at hand under the old one', async () => {
  const account = await openAccount(service);
  assert.equal((await account.send(heavy)).status, 200);
  const size = await sizeOf(account);
  await setInstance(service, account.instance.id, {
    bandwidth_burst_bytes: 2 * size + 100,
    bandwidth_bytes_per_second: 1,
  });
  // The node has heard of it once it refuses what is larger than the new burst.
  const five = Array.from({ length: 5 }, (_, index) => ({ email: `${index}@sandbox.test` }));
  await waitFor(async () => (await account.send({ ...heavy, to: five })).status === 413, {
    what: 'the new limit',
  });
  const answered: number[] = [];
  for (let sends = 0; sends < 5; sends += 1) answered.push((await account.send(heavy)).status);
  assert.deepEqual(answered, [200, 200, 429, 429, 429]);
});

test('the line is one for all nodes', async () => {
  const probe = await openAccount(service);
  await probe.send(heavy);
  const size = await sizeOf(probe);
  const settings = { bandwidth_burst_bytes: 10 * size, bandwidth_bytes_per_second: 1 };
  const account = await openAccount(service, { settings });
  const { api_key, instance } = account;
  const apis = [account.api, createApi({ base_url: other.base_url, api_key, slug: instance.slug })];
  const answers = await Promise.all(
    Array.from(
      { length: 24 },
      async (_, index) => await apis[index % 2]?.post('/v1/mails/send', account.mail(heavy)),
    ),
  );
  const accepted = answers.filter((answer) => answer?.status === 200).length;
  assert.ok(answers.every((answer) => answer?.status === 200 || answer?.status === 429));
  // Sizes differ by a few octets, and each node can be left with less than a mail.
  assert.ok(accepted <= 10 && accepted >= 8, `${accepted} of 10`);
});

async function statuses(account: Account, { times, node = service }: { times: number; node?: TestService }) {
  const { api_key, instance } = account;
  const api = createApi({ base_url: node.base_url, api_key, slug: instance.slug });
  return await Promise.all(Array.from({ length: times }, async () => await api.get('/v1/fields')));
}

test('requests of a key over its rate are a 429 with Retry-After; other keys go on', async () => {
  const account = await openAccount(service, { settings: { requests_per_second: 1, requests_burst: 5 } });
  const began = performance.now();
  const answers = [
    ...(await statuses(account, { times: 8 })),
    ...(await statuses(account, { times: 8, node: other })),
  ];
  const most = 5 + Math.ceil((performance.now() - began) / 1_000);
  const passed = answers.filter(({ status }) => status === 200).length;
  assert.ok(passed >= 5 && passed <= most, `${passed} of ${most}`);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertProblem(answer, 'rate_limit_exceeded');
    assert.equal(retryAfter(answer), 1);
  }
  const key = { name: 'second', scopes: ['field:read'], ip_allowlist: [] };
  const { api_key } = await createApiKey(service.db, account.instance.id, {
    key,
    actor: { kind: 'operator' },
  });
  const [second] = await statuses({ ...account, api_key }, { times: 1 });
  assert.equal(second?.status, 200);
  const [id = ''] = account.api_key.split('.').slice(1);
  await pass(`requests ${id}`, 1);
  const [later] = await statuses(account, { times: 1 });
  assert.equal(later?.status, 200);
});

test('a rate of 0 means no limit, a burst of 0 means one request', async () => {
  const free = await openAccount(service, { settings: { requests_per_second: 0, requests_burst: 0 } });
  const answers = await statuses(free, { times: 250 });
  assert.ok(answers.every(({ status }) => status === 200));
  const one = await openAccount(service, { settings: { requests_per_second: 1, requests_burst: 0 } });
  const two = await statuses(one, { times: 2 });
  assert.deepEqual(new Set(two.map(({ status }) => status)), new Set([200, 429]));
});
