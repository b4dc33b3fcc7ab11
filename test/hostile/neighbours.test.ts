import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startDeliveryBed, type DeliveryBed } from '../../src/deliver/delivery-bed.fixture.ts';
import { signIn } from '../support/panel-user.ts';
import { generateKeys } from '../support/prepared-keys.ts';
import { waitFor } from '../support/wait-for.ts';
import { attackOverHttp, startRemoteMxThread } from './attacker.fixture.ts';
import { whileAttacked } from './neighbour.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  generateKeys();
  bed = await startDeliveryBed({ CHASQUI_DOMAINS_PER_INSTANCE: '3' }, { roles: 'api,web,delivery' });
  // An attack that has to be tried again is not to meet the attacker's own limit.
  await bed.service.db.query(
    'update instances set bandwidth_bytes_per_second = 1e9, bandwidth_burst_bytes = 1e9 where id = $1',
    [bed.tenant.instance.id],
  );
});
after(async () => await bed.stop());

test('a small body with very many links to thirty recipients keeps no other tenant waiting', async (t) => {
  const { service, tenant, mx_port } = bed;
  const html = `<p>${'<a href="http://a.b/c">x</a>'.repeat(24_000)}</p>`;
  const headers = {
    authorization: `Bearer ${tenant.api_key}`,
    'x-instance-slug': tenant.instance.slug,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  const path = '/v1/mails/send';
  const { worst_ms, block_ms } = await whileAttacked(service, async () => {
    const { address, domain } = bed.place();
    await startRemoteMxThread(t, { host: address, port: mx_port });
    const to = Array.from({ length: 30 }, (_, index) => ({ email: `r${index}@${domain}` }));
    const mail = { sender_email: 'hi@shop.example.test', to, subject: 'Links', html };
    const body = gzipSync(JSON.stringify(mail));
    const [answer] = await attackOverHttp({ base_url: service.base_url, path, headers, body, times: 1 });
    assert.equal(answer?.status, 200, answer?.text);
    await waitFor(async () => (await countDelivered(domain)) === 30, {
      what: 'all of them',
      timeout_ms: 60_000,
    });
  });
  t.diagnostic(
    `another tenant waited at most ${Math.round(worst_ms)} ms, blocked ${Math.round(block_ms)} ms`,
  );
});

async function countDelivered(domain: string): Promise<number> {
  const [row] = await bed.service.db.query<{ count: number }>(
    "select count(*)::int as count from mails where status = 3 and recipient like '%@' || $1",
    [domain],
  );
  return row?.count ?? 0;
}

test('sixty domains at once keep no other tenant from signing in', async () => {
  const { service } = bed;
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const panel = await signIn(service, greedy, 'developer');
  const asked = Array.from(
    { length: 60 },
    async (_, index) => await panel.post('/v1/private/domains', { domain: `n${index}.example.test` }),
  );
  const began = performance.now();
  await signIn(service, other, 'viewer');
  const took = performance.now() - began;
  const answers = await Promise.all(asked);
  console.log(`signing in beside sixty domains took ${took.toFixed(0)} ms`);
  assert.ok(took < 3_000, `${took} ms`);
  const statuses = Map.groupBy(answers, ({ status }) => status);
  assert.deepEqual(new Set(statuses.keys()), new Set([201, 409, 429]));
  assert.equal(statuses.get(201)?.length, 3);
});
