import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fetch as fetchByUndici } from 'undici';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';
import { trustAuthorities } from './trusted-authorities.ts';

test('an authority of a file is trusted by fetch and by webhooks, and a file without one is refused', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-ca-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'ca.pem');
  const pair = selfSignedCertificate({
    names: ['localhost', '127.0.0.1'],
    valid_from: new Date(0),
    valid_days: 36_500,
  });
  const server = createServer(pair, (_request, response) => void response.end('yes')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const ask = async (
    fetching: (url: string, init: object) => Promise<{ text(): Promise<string> }>,
  ): Promise<string> => await (await fetching(url, { headers: { connection: 'close' } })).text();
  await assert.rejects(ask(fetch));
  await assert.rejects(ask(fetchByUndici));
  for (const [text, why] of [
    [undefined, /CHASQUI_CA_FILE: .*ca\.pem cannot be read \(ENOENT\)/],
    ['nothing', /has no certificate in PEM/],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /has a certificate that cannot be read/],
  ] as const) {
    if (text !== undefined) writeFileSync(file, text);
    assert.throws(() => trustAuthorities(file), why);
  }
  writeFileSync(file, `A comment.\n${pair.cert}`);
  trustAuthorities(undefined);
  await assert.rejects(ask(fetch));
  trustAuthorities(file);
  assert.equal(await ask(fetch), 'yes');
  assert.equal(await ask(fetchByUndici), 'yes');
});
