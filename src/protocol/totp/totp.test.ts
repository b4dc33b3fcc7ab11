import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32, codeAt, findStep, otpauthUrl, stepAt } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B, in six digits', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) {
    assert.equal(codeAt(secret, stepAt(new Date(seconds * 1000))), code);
  }
});

test('a code holds one step before and after its own, and not once its step was used', () => {
  const now = new Date(1_111_111_109_000);
  const step = stepAt(now);
  for (const distance of [-1, 0, 1]) {
    assert.equal(findStep(secret, codeAt(secret, step + distance), { now, after: 0 }), step + distance);
  }
  for (const distance of [-2, 2]) {
    assert.equal(findStep(secret, codeAt(secret, step + distance), { now, after: 0 }), undefined);
  }
  assert.equal(findStep(secret, codeAt(secret, step), { now, after: step }), undefined);
  assert.equal(findStep(secret, codeAt(secret, step + 1), { now, after: step }), step + 1);
});

test('rejects what is not a code', () => {
  for (const code of ['', '12345', '1234567', '28708２', 'abcdef', ' 287082']) {
    assert.equal(findStep(secret, code, { now: new Date(59_000), after: 0 }), undefined);
  }
});

test('base32 is that of RFC 4648, §10, without padding', () => {
  const vectors = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  for (const [length, expected] of vectors.entries()) {
    assert.equal(base32(Buffer.from('foobar'.slice(0, length))), expected);
  }
});

test('the URL names issuer and account', () => {
  assert.equal(
    otpauthUrl(secret, { issuer: 'Chasqui', account: 'ana@example.com' }),
    'otpauth://totp/Chasqui:ana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Chasqui',
  );
});
