import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'chasqui-https-'));
const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
let service: TestService;
before(async () => {
  write();
  const env = {
    CHASQUI_HTTPS_PORT: '0',
    CHASQUI_TLS_CERT_FILE: files.cert,
    CHASQUI_TLS_KEY_FILE: files.key,
  };
  service = await startTestService({ roles: 'api', env });
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

function write(): string {
  const names = ['localhost'] as const;
  const { cert, key } = selfSignedCertificate({ names, valid_from: new Date(), valid_days: 90 });
  writeFileSync(files.key, key);
  writeFileSync(files.cert, cert);
  return cert;
}

async function shown(): Promise<string> {
  const [host, port] = service.service.addresses.https?.split(':') ?? [];
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate()?.toString() ?? '';
  } finally {
    socket.destroy();
  }
}

test('while a file of the certificate is away the one before is shown, then the new one', async () => {
  const first = await shown();
  renameSync(files.cert, `${files.cert}.old`);
  const isNoticed = (): boolean => service.logged.some((line) => line.includes('certificate cannot be used'));
  await waitFor(
    async () => {
      assert.equal(await shown(), first);
      return isNoticed();
    },
    { what: 'a look at the files', interval_ms: 100 },
  );
  const renewed = write();
  await waitFor(async () => (await shown()) === renewed, { what: 'the new certificate', interval_ms: 100 });
});
