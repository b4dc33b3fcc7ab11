import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openZip } from './open-zip.fixture.ts';
import { endOfArchive, zipStream, type ZipFile } from './zip-stream.ts';

const when = new Date('2026-12-01T12:34:56Z');

async function* these(files: ZipFile[]): AsyncGenerator<ZipFile> {
  yield* files;
}

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function collect(files: AsyncIterable<ZipFile>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zipStream(files, when)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('another reader finds every file with its content, names in any alphabet included', async () => {
  const archive = await collect(
    these([
      { name: 'índice.html', content: Buffer.from('<p>ñ</p>') },
      { name: 'mails/empty.eml', content: Buffer.alloc(0) },
      { name: 'mails.json', content: pieces('[', '"x"'.repeat(50_000), ']') },
    ]),
  );
  const found = await openZip(archive);
  assert.deepEqual([...found.keys()], ['índice.html', 'mails/empty.eml', 'mails.json']);
  assert.equal(found.get('índice.html'), '<p>ñ</p>');
  assert.equal(found.get('mails.json')?.length, 150_002);
  assert.ok(archive.length < 5_000, 'and it is compressed');
});

test('more files than 16 bits count are counted by 64', () => {
  const end = endOfArchive({ count: 65_600, offset: 100, length: 200 });
  assert.deepEqual([end.length, end.readBigUInt64LE(32), end.readUInt16LE(86)], [98, 65_600n, 0xffff]);
  assert.equal(endOfArchive({ count: 3, offset: 100, length: 200 }).length, 22);
});

test('a failure of a source fails the archive, so that no truncated one looks complete', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('begun');
    throw new Error('the database went away');
  }
  await assert.rejects(collect(these([{ name: 'a', content: failing() }])), /went away/);
});

test('memory does not grow with the number of files', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const held: number[] = [];
  const files = 2_000;
  async function* many(): AsyncGenerator<ZipFile> {
    for (let number = 0; number < files; number += 1) {
      // Small buffers are cut from slabs that others share.
      yield { name: `${number}.eml`, content: Buffer.from('x'.repeat(30_000)) };
      if (number % 500 !== 499) continue;
      collectGarbage();
      held.push(process.memoryUsage().arrayBuffers);
    }
  }
  for await (const _piece of zipStream(many(), new Date()));
  const growth = Math.max(...held) - (held[0] ?? 0);
  assert.ok(growth < 8 * 2 ** 20, `${growth} bytes`);
});
