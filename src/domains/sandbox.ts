import type { Queryable } from '../base/db/database.ts';
import { newOwnershipToken } from './ownership-token.ts';

/** Mail to this name and below never leaves the platform. */
export const sandboxZone = 'sandbox.test';

/** The sandbox domain of an instance: verified without DNS, with one sender. */
export async function seedSandbox(tx: Queryable, instance: { id: number; slug: string }): Promise<void> {
  const domain = `${instance.slug}.${sandboxZone}`;
  const [row] = await tx.query<{ id: number }>(
    `insert into domains (instance_id, domain, is_sandbox, ownership_token, ownership_verified_at,
       mx_status, spf_status, dkim_status, dmarc_status,
       mx_verified_at, spf_verified_at, dkim_verified_at, dmarc_verified_at, last_verification_at)
     values ($1, $2, true, $3, now(), 'verified', 'verified', 'verified', 'verified', now(), now(), now(), now(), now())
     returning id`,
    [instance.id, domain, newOwnershipToken()],
  );
  await tx.query(
    'insert into senders (instance_id, domain_id, name, email_address) values ($1, $2, $3, $4)',
    [instance.id, row?.id, 'Sandbox', `test@${domain}`],
  );
}
