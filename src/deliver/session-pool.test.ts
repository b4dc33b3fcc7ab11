import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { holdProcessTime } from '../../test/support/hold-process-time.ts';
import { startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { monotonicClock } from '../base/clock.ts';
import { openSession } from '../protocol/smtp-client/open-session.ts';
import { createPace, type PaceOptions } from './pace/pace.ts';
import { createSessionPool, type PoolOptions } from './session-pool.ts';

const message = {
  mail_from: 'a@us.test',
  rcpt_to: ['b@example.test'],
  size: 1,
  eight_bit: false,
  smtputf8: false,
  data: Buffer.from('x'),
};

interface Bed {
  mx: RemoteMx;
  /** What came of one mail to a host of the provider. */
  send: (host: string) => Promise<string>;
}

async function bed(
  t: TestContext,
  changes: Partial<PoolOptions>,
  limits: Partial<PaceOptions>,
): Promise<Bed> {
  const mx = await startRemoteMx({ name: 'mx.example.test' });
  const pool = createSessionPool({
    open: async ({ host, address }) =>
      await openSession({
        ehlo_name: 'us.test',
        host: address,
        port: mx.port,
        tls: { mode: 'never', servername: host, verify: 'none' },
      }),
    pace: createPace(limits, monotonicClock),
    max_messages: 100,
    idle_ms: 60_000,
    max_wait_ms: 500,
    ...changes,
  });
  t.after(async () => {
    await pool.close();
    await mx.stop();
  });
  return {
    mx,
    async send(host) {
      const target = { host, address: '127.0.0.1', tls: 'opportunistic' } as const;
      const result = await pool.use(target, async (session) => {
        const [outcome] = await session.send(message);
        return outcome ?? assert.fail('no outcome');
      });
      return result.kind === 'reply' ? String(result.code) : result.kind;
    },
  };
}

const countClosed = ({ mx }: Bed): number => mx.sessions.filter(({ closed_at }) => closed_at).length;

test('an idle connection is used again, until it had as many messages as it may', async (t) => {
  const pool = await bed(t, { max_messages: 2 }, {});
  for (let mail = 1; mail <= 5; mail += 1) assert.equal(await pool.send('mx.example.test'), '250');
  assert.deepEqual([pool.mx.messages.length, pool.mx.sessions.length], [5, 3]);
  await waitFor(() => countClosed(pool) === 2, { what: 'the end of both full connections' });
});

test('an idle connection is closed after its time', async (t) => {
  const pool = await bed(t, { idle_ms: 50 }, {});
  await pool.send('mx.example.test');
  await waitFor(() => countClosed(pool) === 1, { what: 'its end' });
  assert.equal(await pool.send('mx.example.test'), '250');
  assert.equal(pool.mx.sessions.length, 2);
});

test('an idle connection to one host makes room for another host of the same provider', async (t) => {
  const pool = await bed(t, {}, { initial_connections: 1, max_connections: 1 });
  for (const host of ['mx1.example.test', 'mx2.example.test', 'mx1.example.test'])
    assert.equal(await pool.send(host), '250', host);
  assert.equal(pool.mx.sessions.length, 3);
  await waitFor(() => countClosed(pool) === 2, { what: 'the end of the idle ones' });
});

test('a mail waits for a busy connection, and goes back to the queue when that takes too long', async (t) => {
  const pool = await bed(t, { max_wait_ms: 500 }, { initial_connections: 1, max_connections: 1 });
  const held = Promise.withResolvers<void>();
  pool.mx.script = {
    BODY: async () => {
      await held.promise;
      return undefined;
    },
  };
  const first = pool.send('mx.example.test');
  await waitFor(() => pool.mx.sessions.length === 1, { what: 'the first mail' });
  assert.equal(await pool.send('mx.example.test'), 'paced');
  const third = pool.send('mx.example.test');
  held.resolve();
  assert.deepEqual([await first, await third], ['250', '250']);
  assert.equal(pool.mx.sessions.length, 1);
});

test('a mail does not wait for a token of its rate for longer than for a connection', async (t) => {
  const rate = { max_mails_per_second: 5, min_mails_per_second: 5 };
  // Without a success the rate stays as it is.
  const open = async () => ({ kind: 'refused', phase: 'connect', message: 'refused' }) as const;
  const pool = await bed(t, { open }, rate);
  const kinds = await Promise.all(Array.from({ length: 30 }, async () => await pool.send('mx.example.test')));
  const refused = kinds.filter((kind) => kind === 'refused').length;
  // The burst of one second, and those whose token came in time.
  assert.ok(refused >= 5 && refused <= 15, `${refused}`);
  assert.equal(kinds.filter((kind) => kind === 'paced').length, kinds.length - refused);
});

test('a failed STARTTLS is tried again after an hour, and mail is sent unencrypted until then', async (t) => {
  const time = holdProcessTime(t);
  const modes: string[] = [];
  const pool: Bed = await bed(
    t,
    {
      max_messages: 1,
      async open({ host, address }, mode) {
        modes.push(mode);
        if (mode !== 'never') return { kind: 'closed', phase: 'starttls', message: 'closed' };
        const tls = { mode, servername: host, verify: 'none' } as const;
        return await openSession({ ehlo_name: 'us.test', host: address, port: pool.mx.port, tls });
      },
    },
    {},
  );
  for (const wait of [0, 3_599_999, 1]) {
    time.advance(wait);
    assert.equal(await pool.send('mx.example.test'), '250');
  }
  assert.deepEqual(modes, ['opportunistic', 'never', 'never', 'opportunistic', 'never']);
});
