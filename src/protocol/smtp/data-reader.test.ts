import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget, unbounded } from '../byte-budget.ts';
import { DataReader, type DataLimits, type DataResult } from './data-reader.ts';
import { createRandom, cutAtRandom } from './seeded-random.fixture.ts';

const limits: DataLimits = {
  max_message_bytes: 100_000,
  max_line_bytes: 2000,
  bare_newlines: 'reject',
  nul: 'keep',
};

interface Reading extends DataResult {
  text: string;
  /** What came behind the end; undefined when there was no end. */
  rest: string | undefined;
}

function read(chunks: Buffer[], options: Partial<DataLimits> = {}): Reading {
  const budget = new ByteBudget({ total_bytes: 1e9, share_bytes: 1e9 });
  const reader = new DataReader({ ...limits, ...options }, budget.hold('a'));
  let rest: string | undefined;
  for (const [index, chunk] of chunks.entries()) {
    const end = reader.write(chunk);
    if (end === -1) continue;
    rest = Buffer.concat([chunk.subarray(end), ...chunks.slice(index + 1)]).toString('latin1');
    break;
  }
  const result = reader.result();
  reader.release();
  assert.equal(budget.used, 0);
  return { ...result, text: Buffer.concat(result.data).toString('latin1'), rest };
}

/** All ways to cut a short text in three. */
function cuts(text: string): Buffer[][] {
  const all: Buffer[][] = [[...Buffer.from(text, 'latin1')].map((byte) => Buffer.from([byte]))];
  for (let one = 0; one <= text.length; one += 1) {
    for (let two = one; two <= text.length; two += 1) {
      all.push(
        [text.slice(0, one), text.slice(one, two), text.slice(two)].map((each) =>
          Buffer.from(each, 'latin1'),
        ),
      );
    }
  }
  return all;
}

const wellFormed: [string, string][] = [
  ['.\r\n', ''],
  ['\r\n.\r\n', '\r\n'],
  ['a\r\n.\r\n', 'a\r\n'],
  ['..\r\n.\r\n', '.\r\n'],
  ['..a\r\n...\r\n.b\r\n.\r\n', '.a\r\n..\r\nb\r\n'],
  ['a.\r\n.\r\n', 'a.\r\n'],
  ['\r\n\r\n..\r\n\r\n.\r\n', '\r\n\r\n.\r\n\r\n'],
];
for (const [sent, message] of wellFormed) {
  test(`${JSON.stringify(sent)} is the message ${JSON.stringify(message)}, however it is cut`, () => {
    for (const chunks of cuts(`${sent}QUIT\r\n`)) {
      const { text, size, fault, rest } = read(chunks);
      assert.deepEqual(
        { text, size, fault, rest },
        { text: message, size: message.length, fault: undefined, rest: 'QUIT\r\n' },
      );
    }
  });
}

// Each was taken for the end of a message by some server (CVE-2023-51764, -51765, -51766).
const pretended = [
  '\n.\n',
  '\r.\r',
  '\n.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r.\r\n',
  '\n.\r',
  '\r.\n',
  '\r\n.\r\r\n',
  '\r\r\n.\n',
  '\n\r.\r\n',
];
for (const ending of pretended) {
  const sent = `one${ending}two\r\n.\r\nQUIT\r\n`;
  test(`${JSON.stringify(ending)} does not end a message`, () => {
    for (const chunks of cuts(sent)) {
      const strict = read(chunks);
      assert.deepEqual([strict.fault, strict.text, strict.rest], ['bare_newline', '', 'QUIT\r\n']);
      const lenient = read(chunks, { bare_newlines: 'fix' });
      assert.equal(lenient.fault, undefined);
      assert.equal(lenient.rest, 'QUIT\r\n');
      assert.match(lenient.text, /^one\r\n(?:\r\n|\.\r\n)*two\r\n$/);
    }
  });
}

test('a NUL is a fault where it is not wanted, but for what follows the message', () => {
  for (const chunks of cuts('a\r\n\0b\r\n.\r\n\0')) {
    assert.deepEqual([read(chunks, { nul: 'reject' }).fault, read(chunks).fault], ['nul', undefined]);
  }
  for (const chunks of cuts('a\r\n.\r\n\0')) {
    assert.equal(read(chunks, { nul: 'reject' }).fault, undefined);
  }
});

test('bytes of every value pass unchanged, and lines beyond 998 octets up to the bound', () => {
  const bytes = Buffer.from(
    Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 10 && byte !== 13),
  );
  const sent = Buffer.concat([bytes, Buffer.from('\r\n.\r\n')]);
  assert.equal(read([sent]).text, `${bytes.toString('latin1')}\r\n`);
  assert.equal(read([Buffer.from(`${'x'.repeat(2000)}\r\n.\r\n`)]).fault, undefined);
  const long = Buffer.from(`${'x'.repeat(2001)}\r\n.\r\n`);
  assert.equal(read([long]).fault, 'long_line');
  assert.equal(read([long.subarray(0, 1500), long.subarray(1500)]).fault, 'long_line');
});

test('a message at the limit passes, one octet more does not, and stuffed dots do not count', () => {
  const body = (length: number): Buffer => Buffer.from(`..${'x'.repeat(length - 3)}\r\n.\r\n`);
  assert.equal(read([body(100)], { max_message_bytes: 100 }).size, 100);
  const over = read([body(101)], { max_message_bytes: 100 });
  assert.deepEqual([over.fault, over.data, over.rest], ['too_big', [], '']);
});

test('messages are kept only while there is memory for all of them', () => {
  const budget = new ByteBudget({ total_bytes: 1000, share_bytes: 900 });
  const [one, two, three] = ['a', 'b', 'a'].map((owner) => new DataReader(limits, budget.hold(owner)));
  assert.ok(one && two && three);
  one.write(Buffer.from(`${'x'.repeat(600)}\r\n`));
  two.write(Buffer.from(`${'x'.repeat(600)}\r\n`));
  assert.equal(budget.used, 602);
  assert.equal(two.result().fault, 'no_memory');
  three.write(Buffer.from(`${'x'.repeat(350)}\r\n`));
  assert.equal(three.result().fault, 'no_share');
  one.release();
  assert.equal(budget.used, 0);
});

test('single bytes and tiny lines are gathered in few pieces', () => {
  const reader = new DataReader(limits, unbounded);
  for (let times = 0; times < 10_000; times += 1)
    reader.write(Buffer.from('x\r'.slice(times % 2, (times % 2) + 1)));
  reader.write(Buffer.from('\n.\r\n'));
  assert.ok(reader.result().data.length < 10);
  const dots = read([Buffer.from(`${'..\r\n'.repeat(10_000)}.\r\n`)]);
  assert.equal(dots.size, 30_000);
  assert.ok(dots.data.length < 10, `${dots.data.length} pieces`);
});

test('reading takes linear time whatever the bytes are', () => {
  const start = process.cpuUsage();
  for (const unit of ['\n', '\r', '.', '\r\n', '\n.', '..\r\n', 'x']) {
    const chunk = Buffer.from(unit.repeat(65_536 / unit.length));
    for (const bare_newlines of ['reject', 'fix'] as const) {
      read(
        Array.from({ length: 8 }, () => chunk),
        { bare_newlines, nul: 'keep', max_line_bytes: 1e9, max_message_bytes: 1e9 },
      );
    }
  }
  assert.ok(process.cpuUsage(start).user < 3_000_000);
});

const alphabet = ['.', '..', '\r\n', '\r\n.', '\r\n..', 'x', ' ', 'é', '\u0000', 'line of text'];

test('any body comes out as it was before its dots were stuffed', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const random = createRandom(seed);
    const length = random(60);
    const body = `${Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')}\r\n`;
    const stuffed = body.replaceAll(/^\./gm, '..');
    const sent = Buffer.from(`${stuffed}.\r\nNEXT`, 'latin1');
    const { text, fault, rest } = read(cutAtRandom(sent, random));
    assert.deepEqual([text, fault, rest], [body, undefined, 'NEXT'], `seed ${seed}`);
  }
});

test('any bytes at all end exactly where the first CRLF dot CRLF is, and are the same however they are cut', () => {
  const wild = [...alphabet, '\r', '\n', '\n.\n', '\r.\r', '.\r\n', '.\n'];
  for (let seed = 1; seed <= 3000; seed += 1) {
    const random = createRandom(seed);
    const sent = Array.from({ length: random(60) }, () => wild[random(wild.length)]).join('');
    const end = `\r\n${sent}`.indexOf('\r\n.\r\n');
    const rest = end === -1 ? undefined : sent.slice(end + 3);
    const bytes = Buffer.from(sent, 'latin1');
    for (const bare_newlines of ['reject', 'fix'] as const) {
      const whole = read([bytes], { bare_newlines });
      const cut = read(cutAtRandom(bytes, random), { bare_newlines });
      assert.equal(whole.rest, rest, `seed ${seed}`);
      assert.equal(cut.rest, rest, `seed ${seed}`);
      if (rest === undefined) continue;
      assert.equal(cut.text, whole.text, `seed ${seed}`);
      const content = sent.slice(0, Math.max(end, 0));
      assert.equal(
        whole.fault !== undefined,
        bare_newlines === 'reject' && /\r(?!\n)|(?<!\r)\n/.test(content),
      );
      assert.doesNotMatch(whole.text, /\r(?!\n)|(?<!\r)\n/);
    }
  }
});
