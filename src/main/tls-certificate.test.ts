import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { readConfig } from '../base/config.ts';
import { createLog } from '../base/log.ts';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';
import { createCertificates } from './tls-certificate.ts';

const make = () =>
  selfSignedCertificate({ names: ['mx.chasqui.test'], valid_from: new Date(), valid_days: 90 });

test('while certificate and key do not belong together, the last ones serve on', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const config = readConfig({ CHASQUI_TLS_CERT_FILE: cert, CHASQUI_TLS_KEY_FILE: key });
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const unused = undefined as never;
  const source = createCertificates({
    config,
    log,
    store: { db: unused } as never,
    secret: unused,
    notifications: unused,
  });
  const [old, renewed] = [make(), make()];
  writeFileSync(cert, old.cert);
  writeFileSync(key, renewed.key);
  assert.throws(() => source.current(), /key values mismatch/, 'with none before, it is told');
  writeFileSync(key, old.key);
  assert.equal(source.current().cert, old.cert);
  writeFileSync(cert, renewed.cert);
  await waitFor(() => source.current().cert !== old.cert || lines.length > 0, { what: 'the new file' });
  assert.equal(source.current().cert, old.cert);
  assert.match(lines.join(''), /"level":"error".*key values mismatch.*the last one serves on/);
  writeFileSync(key, renewed.key);
  await waitFor(() => source.current().cert === renewed.cert, { what: 'the renewed certificate' });
  assert.equal(source.current().key, renewed.key);
  assert.equal(lines.length, 1);
});
