import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { messageOf, rawServer, tryToOpen } from './client-session.fixture.ts';

const usual = ['220 hi\r\n', '250-mx\r\n250 PIPELINING\r\n', '250 ok\r\n', '354 go\r\n', '250 2.0.0 ok\r\n'];
const odd = [
  '421 no\r\n',
  '550 5.1.1 no\r\n',
  '250-',
  '25',
  '0 ok\r\n',
  '\r\n',
  '\0',
  '250 STARTTLS\r\n',
  '250 ok\r\n'.repeat(9),
];
const fragments = [...usual, ...usual, ...odd, 'x'.repeat(5000), '250 \xff\xfe\r\n', '354 \n', '999 \r\n'];
const kinds = new Set<string>(['reply', 'timeout', 'closed', 'tls', 'protocol', 'aborted']);

test('every session with a hostile server ends with outcomes and a closed connection', async (t) => {
  const random = seededRandom(421);
  const pick = (from: string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const connections = new Set<Socket>();
  const seen = new Set<string>();
  const server = await rawServer(t, (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    let turn = 0;
    const answer = (): void => {
      const words =
        random() < 0.6
          ? [usual[turn] ?? '250 ok\r\n']
          : Array.from({ length: random() * 4 }, () => pick(fragments));
      turn += 1;
      const fate = random();
      if (fate < 0.05) socket.resetAndDestroy();
      else if (fate < 0.1) socket.end(words.join(''));
      else socket.write(words.join(''));
    };
    socket.on('data', answer);
    answer();
  });
  const timeouts = {
    greeting: 300,
    ehlo: 300,
    starttls: 300,
    mail: 300,
    rcpt: 300,
    data: 300,
    body: 300,
    quit: 300,
  };
  const attempt = async (): Promise<void> => {
    const session = await tryToOpen(server, { timeouts, tls: { mode: 'opportunistic' } });
    if (session.kind !== 'session') {
      assert.ok(kinds.has(session.kind), JSON.stringify(session));
      seen.add(`${session.phase} ${session.kind}`);
      return;
    }
    for (let round = 0; round < 3 && session.reusable; round += 1) {
      const outcomes = await session.send(messageOf('.\r\n', { rcpt_to: ['a@mx.test', 'b@mx.test'] }));
      assert.equal(outcomes.length, 2);
      for (const outcome of outcomes) {
        assert.ok(kinds.has(outcome.kind), JSON.stringify(outcome));
        seen.add(`${outcome.phase} ${outcome.kind}`);
      }
    }
    await session.quit();
  };
  for (let batch = 0; batch < 10; batch += 1) await Promise.all(Array.from({ length: 60 }, attempt));
  await waitFor(() => connections.size === 0, { what: 'the connections to be closed' });
  // How many depends on the speed of the machine; a few are on any.
  assert.ok(seen.size > 5, [...seen].join(', '));
});
