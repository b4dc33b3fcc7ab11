import type { Notifications } from '../base/db/notifications.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { certificates_channel, findCertificate, type Certificate } from './certificate-store.ts';

interface SourceOptions {
  db: Queryable;
  secret: RootSecret;
  notifications: Pick<Notifications, 'on' | 'onGap'>;
  log: Log;
  /** While there is none in the database yet. */
  fallback: () => Certificate;
}

export interface CertificateSource {
  /** Asked for at each connection. */
  current: () => Certificate;
  /** Reads the database; what was read before stands where that fails. */
  load: () => Promise<void>;
}

/** The certificate that all nodes share, read again whenever one of them has renewed it. */
export function createStoredSource(options: SourceOptions): CertificateSource {
  const { db, secret, notifications, log, fallback } = options;
  let stored: Certificate | undefined;
  async function load(): Promise<void> {
    try {
      stored = await findCertificate(db, secret);
    } catch (error) {
      log.error({ err: error as Error }, 'could not read the TLS certificate');
    }
  }
  notifications.on(certificates_channel, () => void load());
  notifications.onGap(() => void load());
  return { current: () => stored ?? fallback(), load };
}
