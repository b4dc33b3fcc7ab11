import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificate } from './smtp-server.fixture.ts';
import { createTlsContexts } from './tls-contexts.ts';

test('a context is made once for the same options, and anew when they change', () => {
  let options: { key: string; cert: string; minVersion?: 'TLSv1.3' } | undefined = certificate;
  const current = createTlsContexts(() => options);
  const first = current();
  options = { ...certificate };
  assert.equal(current(), first);
  options = { ...certificate, minVersion: 'TLSv1.3' };
  assert.notEqual(current(), first);
  options = undefined;
  assert.equal(current(), undefined);
  options = { key: 'nonsense', cert: 'nonsense' };
  assert.throws(current);
});
