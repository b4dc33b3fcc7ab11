import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import { startCuttingProxy } from '../../test/support/cutting-proxy.ts';
import { createApi, type ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { purgeIdempotencyKeysJob } from '../mails/purge-idempotency-keys.ts';
import { countMessages, openAccount, startAccepting, type Account, type Body } from './account.fixture.ts';

let service: TestService;
/** Another node on the same database. */
let other: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  other = await startAccepting({ database: service.database });
  account = await openAccount(service);
});
after(async () => {
  await other.stop();
  await service.stop();
});

interface Keyed {
  key: string;
  changes?: Body;
  at?: TestService;
  from?: Account;
}

async function send({ key, changes = {}, at = service, from = account }: Keyed): Promise<ApiResponse> {
  const { api_key, instance } = from;
  const api = createApi({ base_url: at.base_url, api_key, slug: instance.slug });
  return await api.post('/v1/mails/send', from.mail(changes), { 'idempotency-key': key });
}

async function kept({ instance }: Account): Promise<number> {
  const [row] = await service.db.query<{ count: number }>(
    'select count(*) from idempotency_keys where instance_id = $1',
    [instance.id],
  );
  return row?.count ?? 0;
}

const isReplay = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true';

test('the same key and body give the first answer again, on every node, and one message', async () => {
  const own = await openAccount(service);
  const key = 'order-1001/~!';
  const first = await send({ key, from: own });
  assert.equal(first.status, 200);
  assert.equal(isReplay(first), false);
  for (const at of [service, other]) {
    const again = await send({ key, from: own, at });
    assert.deepEqual([again.status, again.json, isReplay(again)], [200, first.json, true]);
  }
  assert.equal(await countMessages(own), 1);
  assert.equal(await kept(own), 1);
});

test('the same key with another body is refused, and so is an invalid key', async () => {
  const own = await openAccount(service);
  assert.equal((await send({ key: 'a', from: own })).status, 200);
  for (const at of [service, other]) {
    assertProblem(
      await send({ key: 'a', from: own, at, changes: { subject: 'Other' } }),
      'idempotency_key_reused',
    );
  }
  assert.equal((await send({ key: 'b', from: own, changes: { subject: 'Other' } })).status, 200);
  for (const key of ['', 'two words', 'x'.repeat(257)]) {
    const answer = await send({ key, from: own, changes: { subject: '' } });
    assertProblem(answer, 'validation_error');
    const codes = answer.json.errors.map(({ code }: { code: string }) => code);
    assert.deepEqual(codes.toSorted(), ['string_too_short', 'value_error.idempotency_key']);
  }
  assert.equal((await send({ key: 'x'.repeat(256), from: own })).status, 200);
  assert.equal(await countMessages(own), 3);
});

test('a key belongs to one instance', async () => {
  const [one, two] = [await openAccount(service), await openAccount(service)];
  const key = randomUUID();
  const answers = [await send({ key, from: one }), await send({ key, from: two })];
  assert.deepEqual(answers.map(isReplay), [false, false]);
  assert.notEqual(answers[0]?.json.message_id, answers[1]?.json.message_id);
});

test('the body counts as it is inflated', async () => {
  const { headers } = account;
  const post = async (body: string | Buffer, more: Record<string, string>) =>
    await fetch(`${service.base_url}/v1/mails/send`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'zipped', ...more },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  const text = JSON.stringify(account.mail());
  const plain = await post(text, {});
  const zipped = await post(gzipSync(text), { 'content-encoding': 'gzip' });
  assert.equal(zipped.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(await zipped.json(), await plain.json());
});

test('a form counts by its fields and files, whatever its boundary', async () => {
  const post = async (content: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(account.mail()))
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    form.set('attachments', new File([content], 'a.txt', { type: 'text/plain' }));
    return await fetch(`${service.base_url}/v1/mails/send`, {
      method: 'POST',
      headers: { ...account.headers, 'idempotency-key': 'form' },
      body: form,
    });
  };
  const [first, again, another] = [await post('a'), await post('a'), await post('b')];
  assert.deepEqual([first.status, again.status, another.status], [200, 200, 409]);
  assert.deepEqual(await again.json(), await first.json());
});

test('a refused send keeps no key: mended, it is accepted under the same one', async () => {
  const own = await openAccount(service);
  const changes = { sender_email: `new@${own.instance.slug}.sandbox.test` };
  assertProblem(await send({ key: 'k', from: own, changes: { subject: '' } }), 'validation_error');
  assertProblem(await send({ key: 'k', from: own, changes }), 'sender_not_found');
  assert.equal(await kept(own), 0);
  const answer = await send({ key: 'k', from: own });
  assert.deepEqual([answer.status, isReplay(answer)], [200, false]);
});

test('a repeated send neither counts in the plan nor needs what the first one needed', async () => {
  const own = await openAccount(service, { settings: { plan_send_limit: 1 } });
  const changes = { sender_email: own.sender.email, to: [{ email: 'ana@example.com' }] };
  const first = await send({ key: 'k', from: own, changes });
  await service.db.query('delete from senders where id = $1', [own.sender.id]);
  for (const at of [service, other]) {
    const again = await send({ key: 'k', from: own, changes, at });
    assert.deepEqual([again.status, again.json], [200, first.json]);
  }
  const [plan] = await service.db.query('select used from plan_usage where instance_id = $1', [
    own.instance.id,
  ]);
  assert.deepEqual(plan, { used: 1 });
});

test('two nodes send one of many calls with the same key, and all get its answer or are told to wait', async () => {
  const own = await openAccount(service, { settings: { plan_send_limit: 1_000 } });
  const changes = { sender_email: own.sender.email, to: [{ email: 'ana@example.com' }] };
  const rounds = 30;
  let in_progress = 0;
  for (let round = 0; round < rounds; round += 1) {
    const calls = [service, other, service, other].map(
      async (at) => await send({ key: `k${round}`, from: own, changes, at }),
    );
    const answers = await Promise.all(calls);
    const ids = new Set(answers.flatMap(({ status, json }) => (status === 200 ? [json.message_id] : [])));
    assert.equal(ids.size, 1);
    assert.equal(answers.filter((each) => each.status === 200 && !isReplay(each)).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertProblem(answer, 'idempotency_in_progress');
      assert.equal(answer.headers.get('retry-after'), '1');
      in_progress += 1;
    }
  }
  assert.ok(in_progress > 0, 'no call met one that was under way in its process');
  assert.equal(await countMessages(own), rounds);
  const [plan] = await service.db.query('select used from plan_usage where instance_id = $1', [
    own.instance.id,
  ]);
  assert.deepEqual(plan, { used: rounds });
});

test('two nodes send one of two bodies with the same key and refuse the other', async () => {
  const own = await openAccount(service);
  for (let round = 0; round < 15; round += 1) {
    const answers = await Promise.all(
      [service, other].map(
        async (at, index) =>
          await send({ key: `k${round}`, from: own, at, changes: { subject: `${index}` } }),
      ),
    );
    const refused = answers.find(({ status }) => status !== 200);
    assert.ok(refused);
    assertProblem(refused, 'idempotency_key_reused');
  }
  assert.equal(await countMessages(own), 15);
});

test('a caller whose answer was lost gets it on another node', async () => {
  const own = await openAccount(service);
  const proxy = await startCuttingProxy(service.base_url);
  try {
    const through = { ...service, base_url: proxy.base_url };
    for (let round = 0; round < 10; round += 1) {
      await assert.rejects(send({ key: `k${round}`, from: own, at: through }));
      const again = await send({ key: `k${round}`, from: own, at: other });
      assert.deepEqual([again.status, isReplay(again)], [200, true]);
    }
    assert.equal(proxy.cuts, 10);
    assert.equal(await countMessages(own), 10);
  } finally {
    await proxy.stop();
  }
});

test('while the commit of one node waits, a call on another waits for its end and gets its answer', async () => {
  const own = await openAccount(service);
  const held = Promise.withResolvers<void>();
  const holds = Promise.withResolvers<void>();
  // Both nodes get as far as their keys, and no further.
  const lock = service.db.transaction(async (tx) => {
    await tx.query('lock table idempotency_keys in share row exclusive mode');
    holds.resolve();
    await held.promise;
  });
  await holds.promise;
  const calls = [service, other].map(async (at) => await send({ key: 'k', from: own, at }));
  await waitFor(
    async () =>
      (
        await service.db.query(
          `select from pg_locks where not granted and relation = 'idempotency_keys'::regclass`,
        )
      ).length === 2,
    { what: 'both commits' },
  );
  held.resolve();
  await lock;
  const answers = await Promise.all(calls);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(answers.filter(isReplay).length, 1);
  assert.deepEqual(answers[0]?.json, answers[1]?.json);
  assert.equal(await countMessages(own), 1);
});

/** By the time of the database, which no test moves. */
async function age({ instance }: Account, interval: string): Promise<void> {
  await service.db.query(
    'update idempotency_keys set created_at = now() - $2::interval where instance_id = $1',
    [instance.id, interval],
  );
}

test('an answer is kept for 24 hours; the job removes it, and a new send under its key does not wait for that', async () => {
  const own = await openAccount(service);
  const first = await send({ key: 'k', from: own });
  await age(own, '23 hours 59 minutes');
  assert.deepEqual((await send({ key: 'k', from: own })).json, first.json);
  await age(own, '24 hours 1 second');
  const second = await send({ key: 'k', from: own });
  assert.deepEqual([second.status, isReplay(second)], [200, false]);
  assert.notEqual(second.json.message_id, first.json.message_id);
  assert.deepEqual((await send({ key: 'k', from: own, at: other })).json, second.json);
  await send({ key: 'l', from: own });
  await age(own, '24 hours 1 second');
  await send({ key: 'm', from: own });
  const said = await purgeIdempotencyKeysJob.run({
    db: service.db,
    now: new Date(),
    isStopping: () => false,
  });
  assert.equal(said, '2 idempotency keys');
  assert.equal(await kept(own), 1);
});
