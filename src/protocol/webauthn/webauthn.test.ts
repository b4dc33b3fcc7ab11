import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { decodeCbor } from './cbor.ts';
import { isSignedBy, readCoseKey } from './cose-key.ts';
import { verifyAssertion, type Expected } from './verify.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('the examples of RFC 8949, appendix A, that authenticators use', () => {
  const examples: [string, unknown][] = [
    ['00', 0],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1000000],
    ['20', -1],
    ['3903e7', -1000],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['4401020304', hex('01020304')],
    ['6449455446', 'IETF'],
    ['83010203', [1, 2, 3]],
    [
      'a201020304',
      new Map([
        [1, 2],
        [3, 4],
      ]),
    ],
  ];
  for (const [bytes, value] of examples) {
    assert.deepEqual(decodeCbor(hex(bytes)), { value, end: bytes.length / 2 }, bytes);
  }
});

test('truncated, too deep and other CBOR is refused without reserving memory for it', () => {
  for (const bytes of [
    '',
    '18',
    '5affffffff',
    '9affffffff',
    'baffffffff',
    '1bffffffffffffffff',
    'f97e00',
    '5f',
    'c0',
  ]) {
    assert.equal(decodeCbor(hex(bytes)), undefined, bytes);
  }
  assert.equal(decodeCbor(Buffer.alloc(64, 0x81)), undefined, 'nested');
});

const bstr = (value: Buffer): string =>
  (value.length < 24
    ? (0x40 + value.length).toString(16)
    : value.length < 256
      ? `58${value.length.toString(16).padStart(2, '0')}`
      : `59${value.length.toString(16).padStart(4, '0')}`) + value.toString('hex');
const part = (jwk: object, name: string): Buffer =>
  Buffer.from((jwk as Record<string, string>)[name] ?? '', 'base64url');

const kinds: [string, () => { cose: string; privateKey: KeyObject }][] = [
  [
    'ES256',
    () => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = publicKey.export({ format: 'jwk' });
      return {
        cose: `a5010203262001 21${bstr(part(jwk, 'x'))} 22${bstr(part(jwk, 'y'))}`,
        privateKey,
      };
    },
  ],
  [
    'EdDSA',
    () => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const jwk = publicKey.export({ format: 'jwk' });
      return { cose: `a4010103272006 21${bstr(part(jwk, 'x'))}`, privateKey };
    },
  ],
  [
    'RS256',
    () => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = publicKey.export({ format: 'jwk' });
      return {
        cose: `a4010303390100 20${bstr(part(jwk, 'n'))} 21${bstr(part(jwk, 'e'))}`,
        privateKey,
      };
    },
  ],
];
for (const [name, make] of kinds) {
  test(`verifies ${name} and nothing that was changed`, () => {
    const { cose, privateKey } = make();
    const key = readCoseKey(hex(cose));
    assert.ok(key);
    const data = Buffer.from('what was signed');
    const signature = sign(key.hash, data, privateKey);
    assert.equal(isSignedBy(key, data, signature), true);
    assert.equal(isSignedBy(key, Buffer.from('something else'), signature), false);
    assert.equal(isSignedBy(key, data, Buffer.from('no signature')), false);
    assert.equal(readCoseKey(Buffer.concat([hex(cose), hex('00')])), undefined, 'bytes after it');
  });
}

test('a key of another algorithm, and a point off its curve, are refused', () => {
  const x = Buffer.alloc(32, 7);
  assert.equal(readCoseKey(hex(`a5010203262001 21${bstr(x)} 22${bstr(x)}`)), undefined);
  assert.equal(readCoseKey(hex(`a5010203382220 02 21${bstr(x)} 22${bstr(x)}`)), undefined);
  assert.equal(readCoseKey(hex('a0')), undefined);
});

test('an answer that was given in the frame of another site, and one without presence, are refused', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const public_key = hex(`a5010203262001 21${bstr(part(jwk, 'x'))} 22${bstr(part(jwk, 'y'))}`);
  const expected: Expected = {
    challenge: 'c',
    origin: 'https://a.test',
    rp_id: 'a.test',
    must_verify: false,
  };
  const answer = (flags: number, crossOrigin: boolean) => {
    const text = JSON.stringify({
      type: 'webauthn.get',
      challenge: 'c',
      origin: 'https://a.test',
      crossOrigin,
    });
    const client_data = Buffer.from(text);
    const hash = (data: string | Buffer) => createHash('sha256').update(data).digest();
    const authenticator_data = Buffer.concat([hash('a.test'), Buffer.from([flags, 0, 0, 0, 0])]);
    const signature = sign('sha256', Buffer.concat([authenticator_data, hash(client_data)]), privateKey);
    return verifyAssertion(
      { client_data, authenticator_data, signature },
      { public_key, sign_count: 0 },
      expected,
    );
  };
  assert.deepEqual(answer(0x01, false), { sign_count: 0, is_backed_up: false });
  assert.deepEqual(answer(0x19, false), { sign_count: 0, is_backed_up: true });
  assert.equal(answer(0x01, true), undefined, 'cross-origin');
  assert.equal(answer(0x00, false), undefined, 'nobody present');
  assert.equal(answer(0x11, false), undefined, 'backed up though it cannot be');
});
