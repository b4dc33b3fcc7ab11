import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import type { RootSecret } from '../base/secrets.ts';
import type { FailureCause, OrderFailure } from './failure-cause.ts';

export interface AcmeAccount {
  key: KeyObject;
  failures: number;
  last_error: string | null;
  last_cause: FailureCause | null;
  next_attempt_at: Date | null;
}

const use = 'acme account';

/** The account at that authority; its key is made with the first question. */
export async function openAccount(
  db: Queryable,
  secret: RootSecret,
  directory: string,
): Promise<AcmeAccount> {
  const fresh = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const sealed = secret.encrypt(use, fresh.export({ type: 'pkcs8', format: 'der' }), directory);
  await db.query(
    'insert into acme_accounts (directory, private_key) values ($1, $2) on conflict (directory) do nothing',
    [directory, sealed],
  );
  const [row] = await db.query<Omit<AcmeAccount, 'key'> & { private_key: Buffer }>(
    'select private_key, failures, last_error, last_cause, next_attempt_at from acme_accounts where directory = $1',
    [directory],
  );
  if (row === undefined) throw new Error('The ACME account is gone.');
  const { private_key, ...state } = row;
  const key = createPrivateKey({
    key: secret.decrypt(use, private_key, directory),
    format: 'der',
    type: 'pkcs8',
  });
  return { key, ...state };
}

/** Authorities allow few failures an hour: each one in a row doubles the wait, up to a day. They may ask for a longer one. */
export async function noteFailure(
  db: Queryable,
  directory: string,
  { cause, message, wait_seconds }: OrderFailure,
): Promise<void> {
  await db.query(
    `update acme_accounts set failures = failures + 1, last_error = $2, last_cause = $3,
       next_attempt_at = now() + least(interval '1 day',
         greatest(interval '15 minutes' * 2 ^ least(failures, 10), $4 * interval '1 second'))
     where directory = $1`,
    [directory, boundedText(message, 1_000), cause, Math.min(wait_seconds, 86_400)],
  );
}

/** An operator says that it can be tried again. */
export async function endWait(db: Queryable, directory: string): Promise<void> {
  await db.query('update acme_accounts set next_attempt_at = null where directory = $1', [directory]);
}

export async function noteSuccess(db: Queryable, directory: string): Promise<void> {
  await db.query(
    'update acme_accounts set failures = 0, last_error = null, last_cause = null, next_attempt_at = null where directory = $1',
    [directory],
  );
}

/** What went wrong last at that authority. */
export async function findLastFailure(
  db: Queryable,
  directory: string,
): Promise<Pick<AcmeAccount, 'last_error' | 'last_cause' | 'next_attempt_at'> | undefined> {
  const [row] = await db.query<Pick<AcmeAccount, 'last_error' | 'last_cause' | 'next_attempt_at'>>(
    'select last_error, last_cause, next_attempt_at from acme_accounts where directory = $1',
    [directory],
  );
  return row?.last_error ? row : undefined;
}
