import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createMailParser, type MailParser, Unparseable } from './mail-parser.ts';

const lookUp = async (): Promise<string[]> =>
  await Promise.reject(Object.assign(new Error('DNS: missing'), { code: 'ENOTFOUND' }));
const dns = { dns_servers: ['127.0.0.1:9'], dns_timeout_ms: 100 };

function parserFor(t: TestContext, limits: { max_ms?: number; max_megabytes?: number } = {}): MailParser {
  const parser = createMailParser({ lookUp, dns, ...limits });
  t.after(() => parser.stop());
  return parser;
}

const parse = async (parser: MailParser, raw: Buffer | string, instance = 1) =>
  await parser.parse(instance, {
    raw: Buffer.from(raw),
    mail_from: 'ana@sender.test',
    recipient: 'support@shop.test',
    helo: 'mx.sender.test',
    remote_ip: null,
  });

const head = 'From: Ana <ana@sender.test>\r\nSubject: Bomb\r\n';
const mebibyte = 1024 * 1024;

function deep(levels: number): string {
  let text = '';
  for (let level = 0; level < levels; level += 1)
    text += `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`;
  return `${head}${text}\r\nthe core`;
}

const parts = (count: number): string =>
  `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\nContent-Type: text/html\r\n\r\n<p>\r\n'.repeat(count)}--x--\r\n`;

const base64 = (octets: Buffer): string => octets.toString('base64').replaceAll(/.{76}/g, '$&\r\n');

/** What strangers write to cost time and memory; what each is read as. */
const bombs: [name: string, raw: string | Buffer, isTruncated: boolean][] = [
  ['2,000 containers in each other', deep(2_000), false],
  ['10,000 parts', parts(10_000), true],
  [
    'a boundary of one letter in 20 MB of it',
    `${head}Content-Type: multipart/mixed; boundary=-\r\n\r\n${'-'.repeat(20 * mebibyte)}`,
    false,
  ],
  ['200,000 fields', `${head}${'X-Flood: a\r\n'.repeat(200_000)}\r\nthe text`, true],
  ['a field of 10 MB', `${head}X-Long: ${'a '.repeat(5 * mebibyte)}\r\n\r\nthe text`, true],
  [
    '10,000 signatures',
    `${head}${'DKIM-Signature: v=1; a=rsa-sha256; d=a.test; s=s; h=from; bh=AA==; b=AA==\r\n'.repeat(10_000)}\r\nx`,
    true,
  ],
  [
    '20 MB of base64 without an end',
    `${head}Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUFB'.repeat(5 * mebibyte)}`,
    false,
  ],
  [
    'an archive of 100 MB of zeros',
    `${head}Content-Type: application/gzip; name=a.gz\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(gzipSync(Buffer.alloc(100 * mebibyte)))}`,
    false,
  ],
  ['a text of nothing but addresses', `${head}\r\n${'a@b.example '.repeat(500_000)}`, true],
];

test('messages that are made to cost time and memory are read in bounds, and their neighbour is read too', async (t) => {
  const parser = parserFor(t);
  for (const [name, raw, isTruncated] of bombs) {
    const [bomb, neighbour] = await Promise.all([
      parse(parser, raw),
      parse(parser, `${head}\r\nHola from the neighbour`, 2),
    ]);
    assert.equal(neighbour.text, 'Hola from the neighbour', name);
    assert.equal(bomb.from_address, 'ana@sender.test', name);
    assert.ok(bomb.attachments.length <= 100, `${name}: ${bomb.attachments.length} attachments`);
    assert.ok(bomb.contacts.length <= 500, `${name}: ${bomb.contacts.length} contacts`);
    assert.ok(bomb.headers.length <= 300, `${name}: ${bomb.headers.length} headers`);
    assert.ok((bomb.text ?? '').length <= 512 * 1024, name);
    assert.equal(bomb.is_truncated, isTruncated, name);
  }
});

test('what takes more than it may is given up, and the next mail is read', async (t) => {
  const parser = parserFor(t, { max_ms: 30 });
  await assert.rejects(parse(parser, parts(700_000)), Unparseable);
  assert.equal((await parse(parser, `${head}\r\nthe next`)).text, 'the next');
});
