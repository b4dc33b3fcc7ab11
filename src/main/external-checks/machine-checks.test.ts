import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { readConfig, type Environment } from '../../base/config.ts';
import { selfSignedCertificate } from '../../protocol/tls/self-signed-certificate.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkDisk, describeSpace } from './check-disk.ts';

const now = new Date('2026-12-01T12:00:00Z');
const dayMs = 86_400_000;

async function withCertificate(t: TestContext, valid_days: number, env: Environment = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-cert-'));
  t.after(async () => await rm(folder, { recursive: true }));
  const { cert, key } = selfSignedCertificate({ names: ['mx.chasqui.test'], valid_from: now, valid_days });
  await writeFile(path.join(folder, 'tls-cert.pem'), cert);
  await writeFile(path.join(folder, 'tls-key.pem'), key);
  return readConfig({ CHASQUI_DATA_DIR: folder, ...env });
}

test('a certificate that ends soon, has ended or has not begun is found', async (t) => {
  const config = await withCertificate(t, 90);
  const at = (days: number): Date => new Date(now.getTime() + days * dayMs);
  assert.match(await checkCertificate(config, at(1)), /self-signed, valid for 8\d more days/);
  await assert.rejects(checkCertificate(config, at(80)), /expires in \d+ days/);
  await assert.rejects(checkCertificate(config, at(91)), /expired on 2027/);
  await assert.rejects(checkCertificate(config, at(-3)), /not valid before/);
});

test('a key that is missing, or is the one of another certificate, is found', async (t) => {
  const [config, other] = [await withCertificate(t, 90), await withCertificate(t, 90)];
  const tls_cert_file = path.join(config.data_dir, 'tls-cert.pem');
  for (const tls_key_file of [path.join(other.data_dir, 'tls-key.pem'), path.join(other.data_dir, 'none')]) {
    const mixed = { ...config, tls_cert_file, tls_key_file };
    await assert.rejects(
      checkCertificate(mixed, now),
      /the key of the certificate is missing, or is the one/,
    );
  }
});

test('a self-signed certificate is enough to try things out, not for a real platform domain', async (t) => {
  const config = await withCertificate(t, 90, { CHASQUI_PLATFORM_DOMAIN: 'mail.acme.cl' });
  await assert.rejects(checkCertificate(config, now), /self-signed.*refuse to sign in/);
});

test('a missing configured file is reported; without a listener it is not expected', async (t) => {
  const config = await withCertificate(t, 90);
  const empty = { ...config, data_dir: path.join(config.data_dir, 'nothing') };
  assert.match(await checkCertificate(empty, now), /none on this machine/);
  const tls_cert_file = path.join(config.data_dir, 'gone.pem');
  await assert.rejects(checkCertificate({ ...config, tls_cert_file }, now), /gone\.pem is not there/);
});

test('little space is found, in bytes and in per cent', () => {
  const gigabyte = 2 ** 30;
  assert.match(
    describeSpace({ free: 5 * gigabyte, total: 50 * gigabyte }),
    /5\.0 of 50\.0 GiB free \(10 %\)/,
  );
  assert.throws(() => describeSpace({ free: 0.9 * gigabyte, total: 5 * gigabyte }), /0\.9 of 5\.0/);
  assert.throws(() => describeSpace({ free: 2 * gigabyte, total: 100 * gigabyte }), /\(2 %\)/);
  assert.ok(describeSpace({ free: 30 * gigabyte, total: 10_000 * gigabyte }));
});

test('the volume of the data folder is measured', async () => {
  assert.match(await checkDisk(readConfig({ CHASQUI_DATA_DIR: '/nonexistent/chasqui' })), /not there yet/);
});
