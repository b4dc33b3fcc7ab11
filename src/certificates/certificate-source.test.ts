import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Queryable } from '../base/db/database.ts';
import { createLog } from '../base/log.ts';
import { RootSecret } from '../base/secrets.ts';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';
import { createStoredSource, type CertificateSource } from './certificate-source.ts';
import { saveCertificate, type Certificate } from './certificate-store.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const log = createLog('fatal', { write: () => undefined });
const fallback = { cert: 'fallback', key: 'fallback' };
let service: TestService;
before(async () => (service = await startTestService({ roles: 'api' })));
after(async () => await service.stop());

function source(db: Queryable = service.db): CertificateSource {
  const notifications = { on: () => undefined, onGap: () => undefined };
  return createStoredSource({ db, secret, notifications, log, fallback: () => fallback });
}

async function save(): Promise<Certificate> {
  const names = ['mx.chasqui.test'] as const;
  const made = selfSignedCertificate({ names, valid_from: new Date(), valid_days: 90 });
  await saveCertificate(service.db, secret, { directory: 'https://ca.test', names: [...names], ...made });
  return made;
}

test('a certificate that could not be read is read again, without another notification', async () => {
  const { cert } = await save();
  const certificates = source();
  await service.db.query('alter table certificates rename to certificates_away');
  await certificates.load();
  assert.equal(certificates.current(), fallback);
  await service.db.query('alter table certificates_away rename to certificates');
  await waitFor(() => certificates.current().cert === cert, { what: 'the stored certificate' });
});

test('an answer that comes late does not replace a newer one', async () => {
  await save();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let reads = 0;
  const slowAtFirst: Queryable = {
    async query(...asked) {
      const isFirst = (reads += 1) === 1;
      const rows = await service.db.query(...asked);
      answer();
      if (isFirst) await released;
      return rows as never[];
    },
  };
  const certificates = source(slowAtFirst);
  const first = certificates.load();
  await answered;
  const { cert } = await save();
  const second = certificates.load();
  // Where they are not read in turns, the second answer is there before the first.
  await Promise.race([second, service.db.query('select pg_sleep(0.2)')]);
  release();
  await Promise.all([first, second]);
  assert.equal(certificates.current().cert, cert);
});
