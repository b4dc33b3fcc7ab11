import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { Database } from '../base/db/database.ts';
import { KnownFailure, type Job } from '../base/jobs/job.ts';
import type { RootSecret } from '../base/secrets.ts';
import { orderCertificate } from '../protocol/acme/order-certificate.ts';
import { noteFailure, noteSuccess, openAccount } from './acme-account.ts';
import { findCertificate, saveCertificate, type StoredCertificate } from './certificate-store.ts';
import { publishChallenge } from './challenges.ts';
import { orderFailure } from './failure-cause.ts';

export interface RenewalOptions {
  /** Of the authority (RFC 8555 §7.1.1). */
  directory: string;
  names: string[];
  email: string | undefined;
  secret: RootSecret;
  user_agent: string;
}

export const renewalSchedule = { name: 'certificate', every_ms: 600_000 } as const;
/** Longer than any order takes, and shorter than the lease of a job. */
const orderWithinMs = 300_000;
/** After failures; see `noteFailure`. */
const longestWaitMs = 86_400_000;

/**
 * Gets the certificate, renews it when a third of its time is left, and replaces one for other names or of another
 * authority. One node does it for all.
 */
export function renewalJob(options: RenewalOptions): Job {
  const { directory, names, secret } = options;
  return {
    ...renewalSchedule,
    async run({ db, now }) {
      const stored = await findCertificate(db, secret);
      if (stored !== undefined && isGood(stored, options, now))
        return `valid until ${stored.valid_until.toISOString()}`;
      const account = await openAccount(db, secret, directory);
      if (account.next_attempt_at !== null && isAhead(account.next_attempt_at, now))
        throw new KnownFailure(
          `tries again at ${account.next_attempt_at.toISOString()}: ${account.last_error}`,
        );
      try {
        const cert = await order(db, options, account.key);
        await noteSuccess(db, directory);
        return `got a certificate for ${names.join(', ')}, valid until ${new X509Certificate(cert).validToDate.toISOString()}`;
      } catch (error) {
        const failure = orderFailure(error as Error);
        await noteFailure(db, directory, failure);
        throw new Error(failure.message, { cause: error });
      }
    },
  };
}

/** Further away than any wait is the time of a clock that was set back since. */
function isAhead(next_attempt_at: Date, now: Date): boolean {
  const waitMs = next_attempt_at.getTime() - now.getTime();
  return waitMs > 0 && waitMs <= longestWaitMs;
}

/** Whether the one that there is comes from this authority and has these names, however long it lasts. */
export function isAsConfigured(
  { directory, names }: Pick<StoredCertificate, 'directory' | 'names'>,
  wanted: Pick<RenewalOptions, 'directory' | 'names'>,
): boolean {
  return directory === wanted.directory && names.toSorted().join(' ') === wanted.names.toSorted().join(' ');
}

function isGood(stored: StoredCertificate, wanted: RenewalOptions, now: Date): boolean {
  const { valid_from, valid_until } = stored;
  const lifetime = valid_until.getTime() - valid_from.getTime();
  const left = valid_until.getTime() - now.getTime();
  return isAsConfigured(stored, wanted) && left > lifetime / 3;
}

async function order(
  db: Database,
  { directory, names, email, secret, user_agent }: RenewalOptions,
  account_key: Awaited<ReturnType<typeof openAccount>>['key'],
): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = await orderCertificate({
    directory_url: directory,
    account_key,
    contact: email === undefined ? [] : [`mailto:${email}`],
    names,
    certificate_key: privateKey,
    user_agent,
    signal: AbortSignal.timeout(orderWithinMs),
    publish: async (token, answer) => await publishChallenge(db, token, answer),
  });
  if (!new X509Certificate(cert).checkPrivateKey(privateKey))
    throw new Error('The authority gave a certificate for another key.');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await saveCertificate(db, secret, { directory, names, cert, key });
  return cert;
}
