import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { signMessage } from './sign-message.ts';
import { verdictOn } from './verify-signature.fixture.ts';

const names = [
  'From|FROM|from |Subject|subject\t|To|Cc|Reply-To|Date|Message-ID|MIME-Version|Content-Type',
  'Content-Transfer-Encoding|List-Unsubscribe|List-Unsubscribe-Post|References|X-Other|Received|Sender',
].flatMap((group) => group.split('|'));
const values = [
  '|a@b.test| a@b.test|\ta  \t b|  | \r\n folded|\r\n\tfirst line empty|a\r\n  b\r\n\t c \t',
  ' é 語 🙂| \xa0no-break\xa0|\u0085| a:b:c| ;b=;bh=x| =?utf-8?q?=C3=A9?=|a \r\n \r\n b|.',
].flatMap((group) => group.split('|'));
const bodies = [
  '|\r\n|\r\n\r\n\r\n|no line end|.|.\r\n..\r\n...\r\n|text\r\n|a  \t \r\n|é 語\r\n|\r\n\r\ntext\r\n\r\n\r\n',
]
  .flatMap((group) => group.split('|'))
  .concat(`${'x'.repeat(70_000)}\r\n`, 'line\r\n'.repeat(20_000));

async function verifyRandomMessages(key: KeyObject, rounds: number): Promise<void> {
  const random = seededRandom(rounds);
  const pick = (from: string[]): string => from[Math.floor(random() * from.length)] ?? '';
  for (let round = 0; round < rounds; round += 1) {
    const fields = Array.from({ length: 1 + random() * 15 }, () => `${pick(names)}:${pick(values)}\r\n`);
    const text = `From: a@b.test\r\n${fields.join('')}`;
    const header = Buffer.from(text, random() < 0.5 ? 'utf8' : 'latin1');
    const body = Buffer.from(pick(bodies));
    const cut = Math.floor(random() * body.length);
    const signature = await signMessage({
      header: random() < 0.3 ? header.subarray(0, -2) : header,
      body: [body.subarray(0, cut), body.subarray(cut)],
      domain: 'b.test',
      selector: 's',
      key,
      now: new Date(),
    });
    const message = Buffer.concat([Buffer.from(signature), header, Buffer.from('\r\n'), body]);
    assert.equal(await verdictOn(message, key), 'pass', JSON.stringify(message.toString().slice(0, 2000)));
  }
}

test('odd fields and bodies of every kind verify with Ed25519', async () => {
  await verifyRandomMessages(generateKeyPairSync('ed25519').privateKey, 600);
});

test('odd fields and bodies of every kind verify with RSA', async () => {
  await verifyRandomMessages(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 100);
});
