import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBudget } from '../byte-budget.ts';
import { openGreeted, type RawClient } from './raw-client.fixture.ts';
import { startServer, type User } from './smtp-server.fixture.ts';

/** Of which seven eighths are for large messages: 350,000 for one user, 525,000 for all. */
const limits = { total_bytes: 600_000, share_bytes: 400_000 };
const line = `${'x'.repeat(98)}\r\n`;
const rcpt = 'RCPT TO:<b@b.example>\r\n';

interface Bed {
  budget: ByteBudget;
  /** A client that has signed in. */
  open: (username: string) => Promise<RawClient>;
  /** Handlers at work. */
  working: () => number;
  /** Lets the handlers answer; they wait until then. */
  answer: () => void;
  left: (count: number) => Promise<void>;
}

async function startBed(t: TestContext): Promise<Bed> {
  const budget = new ByteBudget(limits);
  const { promise, resolve } = Promise.withResolvers<void>();
  t.after(() => resolve());
  let working = 0;
  const { port, left } = await startServer(t, {
    allow_plaintext_auth: true,
    hold: (user: User | undefined) => budget.hold(user?.username ?? ''),
    handlers: {
      onAuth: ({ username }) => ({ ok: true, user: { username } }),
      onMessage: async () => {
        working += 1;
        await promise;
        working -= 1;
        return { code: 250, enhanced: '2.0.0', text: 'taken' };
      },
    },
  });
  return {
    budget,
    open: async (username) => {
      const client = await openGreeted(t, port);
      await client.say(`AUTH PLAIN ${Buffer.from(`\0${username}\0secret`).toString('base64')}`);
      return client;
    },
    working: () => working,
    answer: resolve,
    left,
  };
}

async function until(condition: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(8_000);
  while (!condition()) await sleep(5, undefined, { signal });
}

/** Whole messages are handed over; their answers wait. */
async function hand(client: RawClient, octets: number): Promise<void> {
  client.socket.write(`MAIL FROM:<a@a.example>\r\n${rcpt}DATA\r\n${line.repeat(octets / 100)}.\r\n`);
  assert.deepEqual(await client.codes(3), [250, 250, 354]);
}

test('a size beyond the free memory is refused at MAIL, and the reply tells which limit was reached', async (t) => {
  const { budget, open, working } = await startBed(t);
  const [first, second, other] = [await open('one'), await open('one'), await open('two')];
  await hand(first, 300_000);
  await until(() => working() === 1);
  assert.match(await second.say('MAIL FROM:<a@a.example> SIZE=100000'), /^452 4\.3\.1 /);
  assert.match(await other.say('MAIL FROM:<a@a.example> SIZE=300000'), /^451 4\.3\.0 /);
  assert.match(await second.say('MAIL FROM:<a@a.example> SIZE=40000'), /^250 /);
  assert.match(await other.say('MAIL FROM:<a@a.example> SIZE=200000'), /^250 /);
  assert.equal(budget.used, 300_000, 'nothing is held before DATA');
});

test('the announced size is reserved from DATA on, before any byte arrives', async (t) => {
  const { budget, open } = await startBed(t);
  const [first, second] = [await open('one'), await open('one')];
  second.socket.write(`MAIL FROM:<a@a.example> SIZE=300000\r\n${rcpt}`);
  assert.deepEqual(await second.codes(2), [250, 250]);
  first.socket.write(`MAIL FROM:<a@a.example> SIZE=300000\r\n${rcpt}DATA\r\n`);
  assert.deepEqual(await first.codes(3), [250, 250, 354]);
  assert.equal(budget.used, 300_000);
  assert.match(await second.say('DATA'), /^452 4\.3\.1 /);
  first.socket.destroy();
  await until(() => budget.used === 0);
  assert.match(await second.say('DATA'), /^354 /);
});

test('bytes beyond the announced size are counted too', async (t) => {
  const { budget, open, working, answer } = await startBed(t);
  const [first, second, other] = [await open('one'), await open('one'), await open('two')];
  await hand(first, 300_000);
  await until(() => working() === 1);
  await hand(second, 100_000);
  assert.match(await second.reply(), /^452 4\.3\.1 /);
  await hand(other, 300_000);
  assert.match(await other.reply(), /^451 4\.3\.0 /);
  assert.equal(budget.used, 300_000);
  answer();
  assert.match(await first.reply(), /^250 /);
  assert.equal(budget.used, 0);
});

test('a message counts as long as a handler works on it, also when its client is gone', async (t) => {
  const { budget, open, working, answer, left } = await startBed(t);
  const client = await open('one');
  await hand(client, 300_000);
  await until(() => working() === 1);
  client.socket.resetAndDestroy();
  await left(0);
  assert.equal(budget.used, 300_000);
  answer();
  await until(() => budget.used === 0);
});
