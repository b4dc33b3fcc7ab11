import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TLSSocket, createSecureContext } from 'node:tls';
import { close, drop, garbage, silence } from '../../../test/support/remote-mx.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { selfSignedCertificate } from '../tls/self-signed-certificate.ts';
import {
  brief,
  messageOf,
  mxFor,
  openOrFail,
  plainCapabilities,
  rawServer,
  tryToOpen,
} from './client-session.fixture.ts';
import { clientTlsContext } from './secure-socket.ts';

test('STARTTLS is used where it is offered, and what counts is what is offered under it', async (t) => {
  const mx = await mxFor(t, { name: 'mx.to.test' });
  const session = await openOrFail(t, mx, { tls: { mode: 'opportunistic', servername: 'mx.to.test' } });
  assert.equal(session.tls?.protocol, 'TLSv1.3');
  assert.match(session.tls.cipher, /^TLS_/);
  assert.equal(session.tls.verified, false);
  assert.match(session.tls.problem ?? '', /SELF_SIGNED/);
  assert.ok(!session.capabilities.offers('STARTTLS'));
  assert.equal(brief((await session.send(messageOf('a\r\n')))[0]), 'body 250');
  assert.equal(brief(await session.quit()), 'quit 221');
  assert.equal(mx.sessions[0]?.tls?.servername, 'mx.to.test');
  assert.equal(mx.sessions[0].pipelined, true);
  await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
});

test('a server without STARTTLS gets an opportunistic session unencrypted, and fails a required one', async (t) => {
  const mx = await mxFor(t, { capabilities: plainCapabilities });
  const session = await openOrFail(t, mx, { tls: { mode: 'opportunistic' } });
  assert.equal(session.tls, undefined);
  assert.equal(brief(await tryToOpen(mx, { tls: { mode: 'required' } })), 'starttls tls');
  await waitFor(() => mx.open_sessions === 1, { what: 'the required one to be closed' });
});

test('STARTTLS is not used when it is not wanted', async (t) => {
  const session = await openOrFail(t, await mxFor(t));
  assert.ok(session.capabilities.offers('STARTTLS'));
  assert.equal(session.tls, undefined);
});

test('every failure of STARTTLS is reported at that phase, and a new session can skip it', async (t) => {
  const cases = [
    [{ script: { STARTTLS: '454 4.7.0 not now' } }, 'starttls tls'],
    [{ script: { STARTTLS: '501 5.5.1 no' } }, 'starttls tls'],
    [{ script: { STARTTLS: close('421 4.7.0 closing') } }, 'starttls tls'],
    [{ script: { STARTTLS: drop } }, 'starttls closed'],
    [{ script: { STARTTLS: silence } }, 'starttls timeout'],
    [{ script: { STARTTLS: garbage() } }, 'starttls protocol'],
    [{ tls: 'broken' }, 'starttls tls'],
    [
      { secure_context: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } },
      'starttls tls',
    ],
  ] as const;
  for (const [options, expected] of cases) {
    const mx = await mxFor(t, { ...options });
    const timeouts = expected.endsWith('timeout') ? { starttls: 60 } : {};
    const outcome = await tryToOpen(mx, { timeouts, tls: { mode: 'opportunistic' } });
    assert.equal(brief(outcome), expected, JSON.stringify(options));
    await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
    const session = await openOrFail(t, mx, { tls: { mode: 'never' } });
    assert.equal(brief((await session.send(messageOf('a\r\n')))[0]), 'body 250');
  }
});

test('a server that goes silent or away during the handshake is a failure at that phase', async (t) => {
  for (const [ending, expected] of [
    ['drop', 'starttls tls'],
    ['silence', 'starttls timeout'],
  ] as const) {
    const server = await rawServer(t, (socket) => {
      const answers = ['250-mx.test\r\n250 STARTTLS\r\n', '220 go\r\n'];
      socket.write('220 hi\r\n');
      socket.on('data', () => {
        const answer = answers.shift();
        if (answer !== undefined) socket.write(answer);
        else if (ending === 'drop') socket.destroy();
      });
    });
    const options = { timeouts: { starttls: 300 }, tls: { mode: 'required' } } as const;
    assert.equal(brief(await tryToOpen(server, options)), expected);
  }
});

test('bytes sent behind the STARTTLS reply are not read after the handshake', async (t) => {
  const certificate = selfSignedCertificate({
    names: ['mx.test'],
    valid_from: new Date(Date.now() - 3_600_000),
  });
  const server = await rawServer(t, (plain) => {
    plain.write('220 hi\r\n');
    plain.once('data', () => {
      plain.write('250-mx.test\r\n250 STARTTLS\r\n');
      plain.once('data', () => {
        plain.write('220 go\r\n250-evil.test\r\n250 X-INJECTED\r\n250 half a li');
        const secured = new TLSSocket(plain, {
          isServer: true,
          secureContext: createSecureContext(certificate),
        });
        secured
          .on('error', () => undefined)
          .on('data', () => secured.write('250-mx.test\r\n250 PIPELINING\r\n'));
      });
    });
  });
  const session = await openOrFail(t, server, { tls: { mode: 'required' } });
  assert.deepEqual(session.capabilities.lines, ['PIPELINING']);
  assert.equal(session.reusable, true);
});

test('pkix wants a trusted certificate for the name', async (t) => {
  const mx = await mxFor(t, { name: 'mx.to.test' });
  const context = clientTlsContext({ ca: mx.certificate.cert });
  const tls = { mode: 'required', verify: 'pkix', context, servername: 'mx.to.test' } as const;
  const session = await openOrFail(t, mx, { tls });
  assert.deepEqual([session.tls?.verified, session.tls?.problem], [true, undefined]);
  const byAddress = await openOrFail(t, mx, { tls: { ...tls, servername: '127.0.0.1' } });
  assert.equal(byAddress.tls?.verified, true);
  for (const change of [{ servername: 'other.test' }, { servername: '127.0.0.9' }, { context: undefined }]) {
    const outcome = await tryToOpen(mx, { tls: { ...tls, ...change } });
    assert.equal(brief(outcome), 'starttls tls');
    assert.match((outcome as { message: string }).message, /does not hold/);
  }
});

test('a check of the caller sees the chain and has the last word', async (t) => {
  const mx = await mxFor(t);
  const subjects: (string | undefined)[][] = [];
  const session = await openOrFail(t, mx, {
    tls: {
      mode: 'required',
      verify: (chain) => {
        subjects.push(chain.map(({ subject }) => subject));
        return undefined;
      },
    },
  });
  assert.deepEqual(subjects, [['CN=mx.test']]);
  assert.equal(session.tls?.verified, true);
  const refused = await tryToOpen(mx, { tls: { mode: 'required', verify: () => 'not the one expected' } });
  assert.deepEqual(refused, { kind: 'tls', phase: 'starttls', message: 'not the one expected' });
  const choking = await tryToOpen(mx, {
    tls: {
      mode: 'required',
      verify: () => {
        throw new Error('no such extension');
      },
    },
  });
  assert.equal(brief(choking), 'starttls tls');
  await waitFor(() => mx.open_sessions === 1, { what: 'the refused connections to be closed' });
});

test('implicit TLS comes before the greeting', async (t) => {
  const mx = await mxFor(t, { tls: 'implicit', secure_context: { maxVersion: 'TLSv1.2' } });
  const session = await openOrFail(t, mx, { tls: { mode: 'implicit' } });
  assert.equal(session.tls?.protocol, 'TLSv1.2');
  assert.equal(brief((await session.send(messageOf('a\r\n')))[0]), 'body 250');
  const plain = await mxFor(t);
  assert.equal(brief(await tryToOpen(plain, { tls: { mode: 'implicit' } })), 'connect tls');
  const refused = await tryToOpen(mx, { tls: { mode: 'implicit', verify: 'pkix' } });
  assert.equal(brief(refused), 'connect tls');
  const silent = await rawServer(t, () => undefined);
  const options = { timeouts: { starttls: 60 }, tls: { mode: 'implicit' } } as const;
  assert.equal(brief(await tryToOpen(silent, options)), 'connect timeout');
});
