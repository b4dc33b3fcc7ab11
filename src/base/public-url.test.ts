import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicUrl } from './public-url.ts';

test('a URL of this machine, its network or a reserved name is not public', () => {
  for (const url of [
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://[::1]:8080',
    'https://10.0.0.7',
    'https://192.168.1.2/mail',
    'https://mail',
    'https://mail.example.com',
    'https://mail.acme.test',
  ])
    assert.equal(isPublicUrl(url), false, url);
});

test('a URL that people elsewhere can open is', () => {
  for (const url of ['https://mail.acme.cl', 'http://8.8.8.8:8080', 'https://[2600:1900::1]'])
    assert.equal(isPublicUrl(url), true, url);
});
