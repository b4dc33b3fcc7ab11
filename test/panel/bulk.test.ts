import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenOf } from '../../panel/src/pages/mails/chosen.ts';
import { runEach } from '../../panel/src/parts/run-each.ts';
import { severalOf } from '../../panel/src/parts/several.ts';

test('each action takes those of the chosen mails to which it applies, once', () => {
  const of = { to: 'ana@example.com', msg_id: 'one' };
  const rows = [
    { ...of, mail_id: 'a', status: 5 },
    { ...of, mail_id: 'b', status: 2 },
    { mail_id: 'c', status: 7, to: 'bo@example.com', msg_id: 'two' },
    { ...of, mail_id: 'd', status: 3 },
    { mail_id: 'e', status: 2, to: 'x@y.z', msg_id: null },
  ];
  assert.deepEqual(chosenOf(rows), {
    waiting: ['a', 'b', 'e'],
    messages: ['one', 'two'],
    recipients: ['ana@example.com', 'bo@example.com', 'x@y.z'],
  });
});

test('a refused mail does not stop the others, and is counted', async () => {
  const done: string[] = [];
  const seen: number[] = [];
  const run = async (key: string): Promise<void> => {
    if (key === '3') throw new Error('It is being sent.');
    done.push(key);
  };
  const keys = Array.from({ length: 9 }, (_each, index) => String(index));
  assert.deepEqual(await runEach(keys, run, (count) => seen.push(count)), {
    refused: 1,
    first: 'It is being sent.',
  });
  assert.equal(done.length, 8);
  assert.equal(seen.at(-1), 9);
});

test('several values of a filter stand in the address with commas', () => {
  assert.deepEqual(severalOf('5,6'), ['5', '6']);
  assert.deepEqual([severalOf(undefined), severalOf('')], [[], []]);
});
