import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { KeyUses } from './key-uses.ts';

const clock = createMovableClock(new Date());
let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

async function lastUse(id: string): Promise<string | undefined> {
  const rows = await service.db.query<{ last_used_at: Date }>(
    'select last_used_at from api_key_uses where key_id = $1',
    [id],
  );
  return rows[0]?.last_used_at.toISOString();
}

test('many uses are one write, and an older node does not turn the time back', async () => {
  const { api_key } = await service.tenant();
  const [, id = ''] = api_key.split('.');
  const on_error = (error: unknown): never => assert.fail(String(error));
  const [uses, late] = [
    new KeyUses({ db: service.db, clock, on_error }),
    new KeyUses({ db: service.db, clock, on_error }),
  ];
  late.note(id);
  clock.advance(60_000);
  const before_ = service.db.round_trips;
  for (let count = 0; count < 100; count += 1) uses.note(id);
  assert.equal(service.db.round_trips, before_, 'a request writes nothing');
  await uses.flush();
  assert.equal(service.db.round_trips, before_ + 1);
  await uses.flush();
  assert.equal(service.db.round_trips, before_ + 1, 'without uses there is no write');
  await late.flush();
  assert.equal(await lastUse(id), clock.now().toISOString());
  uses.note('aaaaaaaaaaaaaaaa');
  await uses.flush();
  assert.equal(await lastUse('aaaaaaaaaaaaaaaa'), undefined, 'a key that was deleted meanwhile');
});

test('requests that are let in are uses; the list shows the last one', async () => {
  const other = await startTestService({ database: service.database });
  const tenant = await other.tenant();
  const [, id = ''] = tenant.api_key.split('.');
  const stranger = await tenant.api.get('/v1/mails', { 'x-instance-slug': 'another' });
  assert.equal(stranger.status, 401);
  await other.stop();
  assert.equal(await lastUse(id), undefined, 'a refused request does not count as a use');
  const third = await startTestService({ database: service.database });
  await fetch(`${third.base_url}/v1/mails`, {
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug },
  });
  // What is noted is written when a node stops.
  await third.stop();
  const owner = await signIn(service, tenant, 'owner');
  const { data } = (await owner.get('/v1/private/api-keys')).json;
  const key = data.find((each: { id: string }) => each.id === id);
  assert.equal(key.last_used_at, await lastUse(id));
  assert.ok(key.last_used_at);
});
