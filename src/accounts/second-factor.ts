import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { base32, findStep, otpauthUrl } from '../protocol/totp/totp.ts';

const use = 'two-factor';
/** RFC 4226 §4 recommends 160 bits. */
const secretBytes = 20;
const recovery_codes = 10;
const issuer = 'Chasqui';

interface FactorRow {
  email: string;
  two_factor_secret: Buffer | null;
  is_enabled: boolean;
  two_factor_step: number;
}

/** Changes of it take turns on the user's row. */
async function lockFactor(tx: Queryable, userId: number): Promise<FactorRow> {
  const [row] = await tx.query<FactorRow & Record<string, unknown>>(
    `select email, two_factor_secret, two_factor_enabled_at is not null as is_enabled, two_factor_step
     from users where id = $1 for no key update`,
    [userId],
  );
  if (!row) throw new Problem('unauthorized');
  return row;
}

/** A new secret, which asks for nothing until a code of it was given. */
export async function beginTwoFactor(
  tx: Queryable,
  userId: number,
  secret: RootSecret,
): Promise<{ secret: string; otpauth_url: string }> {
  const { email, is_enabled } = await lockFactor(tx, userId);
  if (is_enabled) throw new Problem('two_factor_already_enabled');
  const shared = randomBytes(secretBytes);
  await tx.query(
    'update users set two_factor_secret = $2, two_factor_step = 0, updated_at = now() where id = $1',
    [userId, secret.encrypt(use, shared, String(userId))],
  );
  return { secret: base32(shared), otpauth_url: otpauthUrl(shared, { issuer, account: email }) };
}

interface Proof {
  code: string;
  secret: RootSecret;
  now: Date;
}

/** From now on a sign-in asks for a code. Gives the recovery codes, which are told this once. */
export async function confirmTwoFactor(tx: Queryable, userId: number, proof: Proof): Promise<string[]> {
  const { is_enabled } = await lockFactor(tx, userId);
  if (is_enabled) throw new Problem('two_factor_already_enabled');
  if (!(await takeCode(tx, userId, proof))) throw wrongCode();
  await tx.query('update users set two_factor_enabled_at = $2, updated_at = now() where id = $1', [
    userId,
    proof.now,
  ]);
  return await replaceRecoveryCodes(tx, userId);
}

export async function disableTwoFactor(tx: Queryable, userId: number): Promise<void> {
  await tx.query(
    `update users set two_factor_secret = null, two_factor_enabled_at = null, two_factor_step = 0, updated_at = now()
     where id = $1`,
    [userId],
  );
  // Beside passkeys they are still needed.
  await tx.query(
    'delete from recovery_codes where user_id = $1 and not exists (select from passkeys where user_id = $1)',
    [userId],
  );
}

export async function replaceRecoveryCodes(tx: Queryable, userId: number): Promise<string[]> {
  // 80 bits each cannot be guessed, so a plain hash is enough.
  const codes = Array.from({ length: recovery_codes }, () => base32(randomBytes(10)).toLowerCase());
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await tx.query(
    'insert into recovery_codes (user_id, hash) select $1, hash from unnest($2::bytea[]) as hash',
    [userId, codes.map((code) => hashCode(code))],
  );
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

/** Whether the code is one of the app, or a recovery code. Either is taken once. */
export async function takeSecondFactor(tx: Queryable, userId: number, proof: Proof): Promise<boolean> {
  if (/^\s*\d{3}\s?\d{3}\s*$/.test(proof.code)) {
    const { two_factor_secret } = await lockFactor(tx, userId);
    // The other factor is a passkey.
    if (!two_factor_secret) return false;
    return await takeCode(tx, userId, { ...proof, code: proof.code.replaceAll(/\s/g, '') });
  }
  const used = await tx.query(
    'update recovery_codes set used_at = $3 where user_id = $1 and hash = $2 and used_at is null returning user_id',
    [userId, hashCode(proof.code), proof.now],
  );
  return used.length > 0;
}

async function takeCode(tx: Queryable, userId: number, { code, secret, now }: Proof): Promise<boolean> {
  const { two_factor_secret, two_factor_step } = await lockFactor(tx, userId);
  if (!two_factor_secret) throw new Problem('two_factor_not_enabled');
  const shared = secret.decrypt(use, two_factor_secret, String(userId));
  const step = findStep(shared, code, { now, after: two_factor_step });
  if (step === undefined) return false;
  await tx.query('update users set two_factor_step = $2 where id = $1', [userId, step]);
  return true;
}

export function wrongCode(): Problem {
  return validationProblem([
    { pointer: '/code', code: 'value_error.wrong_code', message: 'This is not the current code' },
  ]);
}

/** As people type it: with or without hyphens, in either case. */
function hashCode(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest();
}
