import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startRemoteMx, type RemoteMxOptions } from '../../test/support/remote-mx.ts';
import { startDeliveryBed } from './delivery-bed.fixture.ts';

const capabilities = ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'SMTPUTF8', 'STARTTLS', 'AUTH PLAIN LOGIN'];
const secretLine = Buffer.from('\0relay-user\0relay:pass').toString('base64');

async function bedWithSmarthost(t: TestContext, options: RemoteMxOptions = {}) {
  const relay = await startRemoteMx({ capabilities, script: { AUTH: '235 2.7.0 ok' }, ...options });
  t.after(relay.stop);
  const scheme = options.tls === 'implicit' ? 'smtps' : 'smtp';
  const bed = await startDeliveryBed({
    CHASQUI_SMARTHOST: `${scheme}://relay-user:relay%3Apass@localhost:${relay.port}`,
    CHASQUI_SMARTHOST_CONNECTIONS: '3',
  });
  t.after(async () => await bed.stop());
  return { bed, relay };
}

for (const tls of ['starttls', 'implicit'] as const) {
  test(`over ${tls}: all mail goes to the smarthost, signed in and signed, over as many connections as it may`, async (t) => {
    const { bed, relay } = await bedWithSmarthost(t, { tls });
    const to = Array.from({ length: 40 }, (_, index) => ({ email: `a@d${index}.nowhere.test` }));
    await bed.send('', { to });
    await relay.waitForMessages(40);
    const [event] = await bed.becomes('a@d7.nowhere.test', 3);
    assert.deepEqual([event?.data['remote_host'], event?.data['smtp_code']], ['localhost', 250]);
    assert.match(String(event?.data['tls']), /^TLSv1\.3 /);
    assert.ok(relay.max_open_sessions <= 3, `${relay.max_open_sessions} connections`);
    assert.ok(relay.messages.every(({ data }) => /^DKIM-Signature: /m.test(data.toString('latin1'))));
    for (const { dialogue } of relay.sessions) {
      assert.ok(dialogue.some(({ line }) => line === `AUTH PLAIN ${secretLine}`));
    }
    assert.deepEqual(bed.dns.queries, [], 'nobody is looked up');
  });
}

test('a smarthost that does not let us in: mail is deferred, the operator told, the password not', async (t) => {
  const { bed, relay } = await bedWithSmarthost(t, { script: { AUTH: '535 5.7.8 bad credentials' } });
  await bed.send('a@somewhere.test');
  const [event] = await bed.becomes('a@somewhere.test', 5);
  assert.deepEqual([event?.reason, event?.data['smtp_code']], ['connection_login', 535]);
  assert.equal(await bed.restriction('a@somewhere.test'), undefined);
  assert.equal(relay.messages.length, 0);
  const log = bed.service.logged.join('\n');
  assert.match(log, /the smarthost does not let us in/);
  for (const hidden of ['relay:pass', 'relay%3Apass', secretLine]) assert.ok(!log.includes(hidden));
});

test('the reply of the smarthost about a recipient decides', async (t) => {
  const { bed } = await bedWithSmarthost(t, { script: { AUTH: '235 ok', RCPT: '550 5.1.1 no such user' } });
  await bed.send('a@somewhere.test');
  const [event] = await bed.becomes('a@somewhere.test', 6);
  assert.deepEqual([event?.reason, event?.data['type']], ['no_such_user', 'hard']);
});
