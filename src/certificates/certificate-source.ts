import type { Notifications } from '../base/db/notifications.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { certificatesChannel, findCertificate, type Certificate } from './certificate-store.ts';

interface SourceOptions {
  db: Queryable;
  secret: RootSecret;
  notifications: Pick<Notifications, 'on' | 'onGap'>;
  log: Log;
  /** While the database has none yet. */
  fallback: () => Certificate;
}

export interface CertificateSource {
  /** Asked for at each connection. */
  current: () => Certificate;
  /** Reads the database; what was read before stands where that fails. */
  load: () => Promise<void>;
}

const retryMs = 1_000;

/**
 * The certificate that all nodes share, read again whenever one of them has renewed it. A read that failed is repeated
 * when the certificate is next asked for: another notification may come only with the next renewal.
 */
export function createStoredSource(options: SourceOptions): CertificateSource {
  const { db, secret, notifications, log, fallback } = options;
  let stored: Certificate | undefined;
  let retryAt = Infinity;
  let reading = Promise.resolve();
  async function read(): Promise<void> {
    retryAt = Infinity;
    try {
      stored = await findCertificate(db, secret);
    } catch (error) {
      log.error({ err: error as Error }, 'could not read the TLS certificate');
      retryAt = performance.now() + retryMs;
    }
  }
  // In turns, so that the last answer is the newest.
  const load = async (): Promise<void> => await (reading = reading.then(read));
  function current(): Certificate {
    if (performance.now() >= retryAt) {
      retryAt = Infinity;
      void load();
    }
    return stored ?? fallback();
  }
  notifications.on(certificatesChannel, () => void load());
  notifications.onGap(() => void load());
  return { current, load };
}
