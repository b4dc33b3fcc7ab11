import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameInMail } from './platform-mail.ts';

test('a usual name stays as it is', () => {
  for (const name of [
    'Acme',
    'Panadería Ñuñoa S.A.',
    'Tres Hermanas & Cía. Ltda.',
    '東京商店',
    'A-1 (Chile)',
    "O'Higgins",
  ]) {
    assert.equal(nameInMail(name), name);
  }
});

test('a name carries no link, address or control character', () => {
  const names = [
    'Verify at https://evil.example/login',
    'HTTPS://EVIL.EXAMPLE',
    'hxxp evil.example',
    'evil.example',
    'evil。example',
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'write to thief@evil.example now',
    'www.evil.example',
    'mailto:thief@evil.example',
    'a\r\nBcc: ana@example.com',
    'a\u2028b\u2029c\u0085d',
    'a\u202Egro.live\u202C',
    'a\u200Bb\u2066c',
    '» and now we speak: your account is closed «',
    '” and now we speak “',
    '<a href=x>',
  ];
  for (const name of names) {
    const shown = nameInMail(name);
    assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>"«»“”:/\\@]/u, name);
    assert.doesNotMatch(shown, /\p{L}[.。]\p{L}{2}/u, name);
  }
});

test('a long name is cut between characters, and one of nothing is still quoted', () => {
  const shown = nameInMail('𝕬😀'.repeat(100));
  assert.equal(Array.from(shown).length, 49);
  assert.ok(shown.isWellFormed());
  assert.equal(nameInMail(' \u200B '), '…');
});
