import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { hashBody } from './hash-body.ts';
import { signMessage, signOctets } from './sign-message.ts';
import { namedFields, relaxField } from './signed-fields.ts';
import { verdictOn } from './verify-signature.fixture.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const now = new Date('2026-03-04T05:06:07.890Z');
const body = Buffer.from('Hello,\r\n\r\n..dots\r\nbye\r\n\r\n');
const header = [
  'From: "Acme, Inc." <news@acme.test>',
  'To: Somebody <you@example.test>',
  'Subject: =?utf-8?q?caf=C3=A9?=\r\n =?utf-8?q?_con_leche?=',
  'Date: Wed, 04 Mar 2026 05:06:07 +0000',
  'Message-ID: <1@acme.test>',
  'MIME-Version: 1.0',
  'List-Unsubscribe: <https://acme.test/u/1>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  'X-Campaign: spring',
  'Content-Type: text/plain; charset=utf-8',
  '',
].join('\r\n');
const request = { header, body, domain: 'acme.test', selector: 'k1', key: rsa, now };
const signature = await signMessage(request);
const message = `${signature}${header}\r\n${body.toString()}`;
const verdict = async (text: string): Promise<string> => await verdictOn(text, rsa);

function tag(field: string, name: string): string | undefined {
  return new RegExp(`[;:]\\s*${name}=([^;]*)`).exec(field)?.[1]?.replaceAll(/\s/g, '');
}

test('another implementation verifies the signature of a usual message', async () => {
  assert.equal(await verdict(message), 'pass');
});

test('the field says what was signed, when, and how, in lines of at most 78 columns', () => {
  assert.ok(signature.startsWith('DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple; t=1772600767;\r\n '));
  assert.ok(signature.endsWith('\r\n'));
  assert.equal(tag(signature, 'd'), 'acme.test');
  assert.equal(tag(signature, 's'), 'k1');
  assert.equal(tag(signature, 'bh'), hashBody(body));
  assert.equal(tag(signature, 'l'), undefined);
  assert.equal(tag(signature, 'x'), undefined);
  for (const line of signature.split('\r\n')) assert.ok(line.length <= 78, line);
});

test('visible fields are signed once more than they occur; unsubscribe fields only where they occur', async () => {
  const names = tag(signature, 'h')?.split(':') ?? [];
  const times = (name: string): number => names.filter((other) => other === name).length;
  for (const name of ['from', 'subject', 'to', 'date', 'message-id', 'mime-version', 'content-type']) {
    assert.equal(times(name), 2, name);
  }
  assert.deepEqual([times('cc'), times('reply-to'), times('sender')], [1, 1, 1]);
  assert.deepEqual([times('list-unsubscribe'), times('list-unsubscribe-post')], [2, 2]);
  assert.deepEqual([times('references'), times('x-campaign')], [0, 0]);
  const bare = await signMessage({ ...request, header: 'From: a@acme.test\r\n' });
  assert.equal(
    tag(bare, 'h'),
    'from:from:sender:subject:to:cc:reply-to:date:message-id:mime-version:content-type',
  );
});

test('a change to any signed field breaks the signature', async () => {
  for (const field of header.split(/\r\n(?!\s|$)/)) {
    const expected = field.startsWith('X-Campaign') ? 'pass' : 'fail';
    const changed = field.replace(/(\w)(\W*)$/, (_, letter: string, rest: string) => {
      return `${letter === 'z' ? 'y' : 'z'}${rest}`;
    });
    assert.notEqual(changed, field);
    assert.equal(await verdict(message.replace(field, changed)), expected, field);
  }
});

test('another field of a signed name breaks it, above and below, whether there was one or not', async () => {
  const added = [
    'From: x@evil.test',
    'Sender: x@evil.test',
    'Subject: evil',
    'To: x@evil.test',
    'Cc: x@evil.test',
    'Reply-To: x@evil.test',
  ];
  for (const field of [...added, 'Content-Type: text/html', 'List-Unsubscribe: <https://evil.test>']) {
    assert.equal(await verdict(`${field}\r\n${message}`), 'fail', field);
    assert.equal(await verdict(message.replace('\r\n\r\n', `\r\n${field}\r\n\r\n`)), 'fail', field);
  }
});

test('trace fields and other blanks on the way do no harm', async () => {
  const travelled = message.replace('To: Somebody', 'to :\tSomebody\r\n ').replace('1.0\r\n', '1.0 \t\r\n');
  assert.equal(await verdict(`Received: from a by b; now\r\nX-Spam: no\r\n${travelled}`), 'pass');
});

test('a change to the body breaks it; blank lines at its end do not', async () => {
  assert.equal(await verdict(message.replace('bye', 'Bye')), 'fail');
  assert.equal(await verdict(message.replace('bye', 'bye ')), 'fail');
  assert.equal(await verdict(`${message}and more\r\n`), 'fail');
  assert.equal(await verdict(`${message}\r\n\r\n`), 'pass');
});

test('further fields are signed where they occur', async () => {
  const field = await signMessage({ ...request, headers: ['X-Campaign', 'X-Absent', 'From'] });
  const names = tag(field, 'h')?.split(':') ?? [];
  assert.deepEqual(names.slice(-2), ['x-campaign', 'x-campaign']);
  assert.equal(names.filter((name) => name === 'from').length, 2);
  const whole = `${field}${header}\r\n${body.toString()}`;
  assert.equal(await verdict(whole), 'pass');
  assert.equal(await verdict(whole.replace('spring', 'autumn')), 'fail');
});

test('a hash made before and the body itself give the same signature, and an expiry is signed', async () => {
  const { body: _, ...rest } = request;
  assert.equal(await signMessage({ ...rest, body_hash: hashBody([body]) }), signature);
  const expiring = await signMessage({
    ...request,
    now: new Date(),
    expires_at: new Date(Date.now() + 60_000),
  });
  assert.equal(Number(tag(expiring, 'x')) - Number(tag(expiring, 't')), 60);
  assert.equal(await verdict(`${expiring}${header}\r\n${body.toString()}`), 'pass');
});

test('a key that cannot sign and a malformed name are rejected', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await assert.rejects(signMessage({ ...request, key: privateKey }), TypeError);
  const publicKey = createPublicKey({ key: rsa.export({ type: 'pkcs8', format: 'pem' }), format: 'pem' });
  await assert.rejects(signMessage({ ...request, key: publicKey }), TypeError);
  await assert.rejects(signMessage({ ...request, domain: 'a.test; l=0' }), TypeError);
  await assert.rejects(signMessage({ ...request, selector: 'a\r\nb' }), TypeError);
  await assert.rejects(signMessage({ ...request, now: new Date(Number.NaN) }), RangeError);
});

test('the signature comes from the thread pool: it is not there before the event loop has turned', async () => {
  let signed = false;
  const signing = signMessage(request).then(() => {
    signed = true;
  });
  for (let microtask = 0; microtask < 50; microtask += 1) await Promise.resolve();
  assert.equal(signed, false);
  await signing;
});

test('Ed25519 gives the signature of RFC 8463 appendix A.3', async () => {
  const seed = Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64');
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const vector = [
    'From: Joe SixPack <joe@football.example.com>',
    'To: Suzie Q <suzie@shopping.example.net>',
    'Subject: Is dinner ready?',
    'Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)',
    'Message-ID: <20030712040037.46341.5F8J@football.example.com>',
    '',
  ].join('\r\n');
  const field = [
    'DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;',
    ' d=football.example.com; i=@football.example.com;',
    ' q=dns/txt; s=brisbane; t=1528637909; h=from : to :',
    ' subject : date : message-id : from : subject : date;',
    ' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;',
    ' b=',
  ].join('\r\n');
  const { canonical } = namedFields(vector, tag(field, 'h')?.split(':') ?? []);
  assert.equal(
    await signOctets(key, canonical + relaxField(field)),
    '/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11BusFa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==',
  );
});
