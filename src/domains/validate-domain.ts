import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Resolver } from '../protocol/dns/client/resolver.ts';
import type { Domain } from './domain-schemas.ts';
import { getDomain } from './domains.ts';
import { checkDomain, type DomainCheck } from './verification/check-domain.ts';

/** All queries run concurrently; what is not answered in time is failed. */
const deadline_ms = 5_000;

interface Validation {
  id: number;
  platform_domain: string;
  resolver: Resolver;
  clock: Clock;
}

/**
 * Queries DNS and stores the four states. Nothing else changes them. No transaction is open during the queries; a
 * concurrent revocation wins, and so does a validation that began later: its answers are newer.
 */
export async function validateDomain(
  db: Queryable,
  instanceId: number,
  { id, platform_domain, resolver, clock }: Validation,
): Promise<Domain> {
  const before = await getDomain(db, instanceId, { id, platform_domain });
  const { domain, ownership_token } = before;
  const began_at = clock.now();
  const check = before.is_sandbox
    ? sandboxCheck
    : await checkDomain(
        { domain, ownership_token, platform_domain, check_ownership: !before.is_ownership_verified },
        resolver,
        { deadline_ms },
      );
  await record(db, id, { check, began_at, now: clock.now() });
  return await getDomain(db, instanceId, { id, platform_domain });
}

/** The sandbox domain is verified without DNS. */
const verified = { status: 'verified', reason: null } as const;
const sandboxCheck: DomainCheck = {
  mx: verified,
  spf: verified,
  dkim: verified,
  dmarc: verified,
  ownership: null,
};

async function record(
  db: Queryable,
  id: number,
  { check, began_at, now }: { check: DomainCheck; began_at: Date; now: Date },
): Promise<void> {
  const { mx, spf, dkim, dmarc, ownership } = check;
  const parts = { mx, spf, dkim, dmarc, ...(ownership ? { ownership } : {}) };
  const reasons = Object.fromEntries(
    Object.entries(parts).flatMap(([name, { reason }]) => (reason === null ? [] : [[name, reason]])),
  );
  const status = (name: string, parameter: string): string =>
    `${name}_status = case ${name}_status when 'revoked' then 'revoked' else ${parameter} end, ${name}_verified_at = $6`;
  await db.query(
    `update domains set ${status('mx', '$2')}, ${status('spf', '$3')}, ${status('dkim', '$4')}, ${status('dmarc', '$5')},
       last_verification_at = $6, updated_at = $6, check_reasons = $7,
       ownership_verified_at = case when $8 then coalesce(ownership_verified_at, $6) else ownership_verified_at end
     where id = $1 and deleted_at is null
       and not coalesce(last_verification_at > $6 and last_verification_at <= $9, false)`,
    [
      id,
      mx.status,
      spf.status,
      dkim.status,
      dmarc.status,
      began_at,
      JSON.stringify(reasons),
      ownership?.verified ?? false,
      now,
    ],
  );
}
