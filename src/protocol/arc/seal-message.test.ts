import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { authenticate } from 'mailauth';
import { sealMessage, type SealRequest } from './seal-message.ts';

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const record = `v=DKIM1; k=rsa; p=${createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')}`;
const body = Buffer.from('Hello\r\n\r\n');
const header = [
  'From: =?utf-8?Q?Mar=C3=ADa?= <maria@example.net>',
  'To: ventas@tienda.example',
  'Subject: Order',
  ' 77',
  'Date: Mon, 03 Nov 2025 14:02:11 -0300',
  'Message-ID: <1@example.net>',
  '',
].join('\r\n');
const request: SealRequest = {
  header: Buffer.from(header),
  body,
  chain: 'none',
  results: 'mx.fwd.example; spf=pass smtp.mailfrom=example.net; dmarc=pass header.from=example.net',
  domain: 'fwd.example',
  selector: 's1',
  key,
  now: new Date(),
};

/** Another implementation, in its strict mode. */
async function verify(message: string): Promise<string | undefined> {
  const { arc } = await authenticate(Buffer.from(message), {
    ip: '192.0.2.1',
    helo: 'x.example',
    sender: 'a@example.net',
    strict: true,
    resolver: async (name: string, type: string) => {
      if (type === 'TXT' && name === 's1._domainkey.fwd.example') return [[record]];
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    },
  });
  return arc === false ? undefined : arc.status.result;
}

async function seal(header_: string, chain: SealRequest['chain']): Promise<string> {
  const fields = await sealMessage({ ...request, header: Buffer.from(header_), chain });
  assert.ok(fields);
  return fields + header_;
}

test('a seal verifies with another implementation', async () => {
  const sealed = await seal(header, 'none');
  assert.match(sealed, /^ARC-Seal: i=1; a=rsa-sha256; t=\d+; cv=none;/);
  assert.equal(await verify(`${sealed}\r\n${body.toString()}`), 'pass');
  assert.ok(sealed.split('\r\n').every((line) => line.length <= 998));
});

test('a seal lets the server that sends the mail add what it adds, and nothing that readers see', async () => {
  const sealed = await seal(header, 'none');
  const sent = `DKIM-Signature: v=1; d=x\r\nReceived: by x\r\n${sealed}`;
  assert.equal(await verify(`${sent}\r\n${body.toString()}`), 'pass');
  assert.equal(await verify(`From: other@example.net\r\n${sealed}\r\n${body.toString()}`), 'fail');
});

test('a chain of three seals verifies, and ends when one of them is changed', async () => {
  const thrice = await seal(await seal(await seal(header, 'none'), 'pass'), 'pass');
  assert.equal(await verify(`${thrice}\r\n${body.toString()}`), 'pass');
  assert.equal(await verify(`${thrice}\r\nHullo\r\n`), 'fail');
  assert.equal(await verify(`${thrice.replace('spf=pass', 'spf=fail')}\r\n${body.toString()}`), 'fail');
  assert.equal(await verify(`${thrice.replace(' 77', ' 78')}\r\n${body.toString()}`), 'fail');
});

test('a failed chain is sealed as failed, once, and never again', async () => {
  const once = await seal(header, 'none');
  const failed = await seal(once, 'fail');
  assert.match(failed, /^ARC-Seal: i=2; a=rsa-sha256; t=\d+; cv=fail;/);
  assert.equal(await verify(`${failed}\r\n${body.toString()}`), 'fail');
  assert.equal(await sealMessage({ ...request, header: Buffer.from(failed), chain: 'fail' }), undefined);
});

test('a chain that is broken or full gets no further set', async () => {
  const once = await seal(header, 'none');
  const [first = ''] = once.split('\r\n');
  assert.equal(await sealMessage({ ...request, header: Buffer.from(`${first}\r\n${once}`) }), undefined);
  assert.equal(
    await sealMessage({ ...request, header: Buffer.from(once.replaceAll('i=1;', 'i=2;')) }),
    undefined,
  );
  assert.equal(
    await sealMessage({ ...request, header: Buffer.from(once.replace(/^ARC-Seal/, 'X-Seal')) }),
    undefined,
  );
  const set = (i: number): string =>
    `ARC-Seal: i=${i}; cv=pass; b=\r\nARC-Message-Signature: i=${i}; b=\r\nARC-Authentication-Results: i=${i}; x\r\n`;
  const full = Array.from({ length: 50 }, (_, at) => set(at + 1)).join('');
  assert.equal(
    await sealMessage({ ...request, header: Buffer.from(full + header), chain: 'pass' }),
    undefined,
  );
});

test('results and names cannot add a field', async () => {
  await assert.rejects(sealMessage({ ...request, results: 'a\r\nBcc: b@example.net' }), TypeError);
  await assert.rejects(sealMessage({ ...request, domain: 'a; b=c' }), TypeError);
});
