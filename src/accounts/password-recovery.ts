import { createAfterAnswer } from '../base/after-answer.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import { hashToken, newToken } from '../base/secrets.ts';
import { auditOf } from '../audit/index.ts';
import {
  limitAccountMail,
  limitRequestsOfNetwork,
  MailLimitReached,
  type PlatformMailLimits,
  returnPlatformMail,
} from '../limits/index.ts';
import { storedEmails } from './account-email.ts';
import type { PasswordChecks } from './password-checks.ts';
import { passwordResetMail } from './password-reset-mail.ts';
import { storePassword } from './store-password.ts';

const audit = auditOf('user');

export interface RecoveryContext {
  db: Database;
  clock: Clock;
  log: Log;
  base_url: string;
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
  checks: Pick<PasswordChecks, 'hash' | 'forget'>;
}

const lifetimeMs = 60 * 60_000;
/** Looked up and written after their answers. */
const max_in_progress = 50;

interface Recovery {
  /** Resolves alike for every address, before it is known whether anybody has it. */
  request(wanted: { email: string; address: string }): Promise<void>;
  /** Throws `password_reset_not_found` for a token that is used, over, or never was. */
  reset(wanted: { token: string; new_password: string; address: string }): Promise<void>;
}

/**
 * Forgotten passwords. The mail always goes to the owner of the address with a token that works for an hour: one mail
 * each half hour is enough, and no stranger who asks too keeps the owner from getting in.
 */
export function createPasswordRecovery(context: RecoveryContext): Recovery {
  const { db, clock, log } = context;
  const afterAnswer = createAfterAnswer({
    log,
    failure: 'a password link could not be written',
    max_in_progress,
  });
  return {
    async request({ email, address }) {
      await limitRequestsOfNetwork(db, context.mail_limits, address);
      afterAnswer(async () => await writeTo(context, email, address));
    },
    async reset({ token, new_password, address }) {
      const token_hash = hashToken(token);
      const open = 'token_hash = $1 and used_at is null and expires_at > $2';
      const found = await db.query(`select from password_resets where ${open}`, [token_hash, clock.now()]);
      if (found.length === 0) throw new Problem('password_reset_not_found');
      const password_hash = await context.checks.hash(new_password);
      const now = clock.now();
      await db.transaction(async (tx) => {
        const [used] = await tx.query<{ user_id: number }>(
          `update password_resets set used_at = $2 where ${open} returning user_id`,
          [token_hash, now],
        );
        if (!used) throw new Problem('password_reset_not_found');
        const { user_id } = used;
        await storePassword(tx, user_id, { password_hash, now });
        const [user] = await tx.query<{ email: string }>('select email from users where id = $1', [user_id]);
        if (user) await context.checks.forget(tx, { email: user.email, address });
        const id = String(user_id);
        await audit(tx, null, { action: 'password_reset', id, actor: { kind: 'user', id, address } });
      });
    },
  };
}

async function writeTo(context: RecoveryContext, email: string, address: string): Promise<void> {
  const { db, clock, base_url } = context;
  const token = newToken();
  const now = clock.now();
  const to = await db
    .transaction(async (tx) => {
      const [user] = await tx.query<{ id: number; email: string }>(
        'select id, email from users where email = any($1) order by id',
        [storedEmails(email)],
      );
      if (!user) return undefined;
      await limitAccountMail(tx, user.email);
      await tx.query(
        'insert into password_resets (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)',
        [hashToken(token), user.id, now, new Date(now.getTime() + lifetimeMs)],
      );
      await audit(tx, null, {
        action: 'password_link_requested',
        id: user.id,
        actor: { kind: 'user', address },
      });
      return user.email;
    })
    .catch((error: unknown) => {
      // The one that was written before still works.
      if (error instanceof MailLimitReached) return undefined;
      throw error;
    });
  if (to === undefined) return;
  try {
    await context.sendPlatformMail(passwordResetMail({ to, token, base_url }));
  } catch (error) {
    await returnPlatformMail(db, { kind: 'account', recipient: to });
    throw error;
  }
}
