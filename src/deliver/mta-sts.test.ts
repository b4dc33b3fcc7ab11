import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { openSession } from '../protocol/smtp-client/open-session.ts';
import { wallClock } from '../../test/support/movable-clock.ts';
import { startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { createPace } from './pace/pace.ts';
import { anySource } from './pick-source.ts';
import { attemptRemote, type AttemptResult } from './remote-attempt.ts';
import { createSessionPool } from './session-pool.ts';
import { createUnresponsiveHosts } from './unresponsive-hosts.ts';

/** One attempt at a server with a certificate that no authority vouches for, under a policy in force. */
async function attemptUnder(
  t: TestContext,
  policy: { mx: string[] },
): Promise<{ mx: RemoteMx; result: AttemptResult }> {
  const mx = await startRemoteMx({ name: 'mx.example.test' });
  const pace = createPace({}, wallClock);
  const sessions = createSessionPool({
    pace,
    max_messages: 1,
    idle_ms: 1_000,
    max_wait_ms: 1_000,
    open: async ({ host, address }) =>
      await openSession({
        ehlo_name: 'us.test',
        host: address,
        port: mx.port,
        tls: { mode: 'required', servername: host, verify: 'pkix' },
      }),
  });
  t.after(async () => {
    await sessions.close();
    await mx.stop();
  });
  const host = { name: 'mx.example.test', preference: 10, addresses: ['127.0.0.1'], tlsa: [] };
  const result = await attemptRemote(
    {
      router: { route: async () => ({ kind: 'hosts', hosts: [host] }) },
      policies: { policyFor: async () => ({ mode: 'enforce', max_age_seconds: 86_400, ...policy }) },
      pace,
      sessions,
      hosts: createUnresponsiveHosts(wallClock),
      pickSource: async () => anySource,
      max_search_ms: 5_000,
    },
    {
      instance_id: 1,
      destination: 'example.test',
      last_attempt: false,
      urgent: false,
      prepare: async () => ({
        mail_from: 'a@us.test',
        rcpt_to: ['b@example.test'],
        size: 1,
        eight_bit: false,
        smtputf8: false,
        data: [Buffer.from('x')],
        confirm: async () => true,
      }),
    },
  );
  return { mx, result };
}

test('a certificate that the MTA-STS policy does not let us trust: deferred with that reason, nothing sent', async (t) => {
  const { mx, result } = await attemptUnder(t, { mx: ['mx.example.test'] });
  const { verdict, details } = result;
  assert.deepEqual(
    [verdict.verdict, 'reason' in verdict && verdict.reason],
    ['deferred', 'connection_mta_sts'],
  );
  assert.match(String(details.detail), /^tls at starttls: /);
  assert.deepEqual(mx.messages, []);
});

test('no server that the MTA-STS policy names: deferred with that reason, and none is connected to', async (t) => {
  const { mx, result } = await attemptUnder(t, { mx: ['other.example.test'] });
  const { verdict, details } = result;
  assert.deepEqual(
    [verdict.verdict, 'reason' in verdict && verdict.reason],
    ['deferred', 'connection_mta_sts'],
  );
  assert.equal(details.detail, 'no MX host of the domain matches its MTA-STS policy');
  assert.equal(mx.sessions.length, 0);
});
