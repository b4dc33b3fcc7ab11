import type { Database, Queryable } from '../base/db/database.ts';
import { recordAudit } from '../audit/index.ts';
import { ensurePlatformInstance } from '../instances/index.ts';
import { generateDkimKeys, insertDkimKeys, type KeyMaking, type NewDkimKey } from './dkim-keys.ts';
import { newOwnershipToken } from './ownership-token.ts';

export interface PlatformSender {
  instance_id: number;
  domain_id: number;
  email: string;
}

export interface PlatformSenderOptions extends KeyMaking {
  platform_domain: string;
}

/**
 * The sender of the platform's own mail, created on first use, since key generation takes a second. Its domain is the
 * configured one, verified because its zone publishes what the checks need. A former platform domain stays, for mail
 * in transit.
 */
export async function openPlatformSender(
  db: Database,
  { platform_domain, ...making }: PlatformSenderOptions,
): Promise<PlatformSender> {
  const known = await findSender(db, platform_domain);
  if (known) return known;
  const token = newOwnershipToken();
  const keys = await generateDkimKeys(token, making);
  return await db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtext('chasqui platform sender'))");
    return (
      (await findSender(tx, platform_domain)) ?? (await insertSender(tx, { platform_domain, token, keys }))
    );
  });
}

async function findSender(db: Queryable, domain: string): Promise<PlatformSender | undefined> {
  const [row] = await db.query<PlatformSender>(
    `select s.instance_id, s.domain_id, s.email_address as email
     from senders s join domains d on d.id = s.domain_id join instances i on i.id = s.instance_id
     where i.is_platform and d.domain = $1 and s.deleted_at is null and d.deleted_at is null
     order by s.id limit 1`,
    [domain],
  );
  return row;
}

async function insertSender(
  tx: Queryable,
  { platform_domain, token, keys }: { platform_domain: string; token: string; keys: NewDkimKey[] },
): Promise<PlatformSender> {
  const instance_id = await ensurePlatformInstance(tx);
  const [row] = await tx.query<{ id: number }>(
    `insert into domains (instance_id, domain, ownership_token, ownership_verified_at,
       mx_status, spf_status, dkim_status, dmarc_status,
       mx_verified_at, spf_verified_at, dkim_verified_at, dmarc_verified_at, last_verification_at)
     values ($1, $2, $3, now(), 'verified', 'verified', 'verified', 'verified', now(), now(), now(), now(), now())
     returning id`,
    [instance_id, platform_domain, token],
  );
  const { id } = row as { id: number };
  await insertDkimKeys(tx, id, keys);
  const email = `postmaster@${platform_domain}`;
  // Links in this mail are credentials: no click redirects.
  await tx.query(
    `insert into senders (instance_id, domain_id, name, email_address, track_opens, track_clicks)
     values ($1, $2, 'Chasqui', $3, false, false)`,
    [instance_id, id, email],
  );
  await recordAudit(tx, {
    instance_id,
    actor: { kind: 'system' },
    action: 'domain.created',
    object: { kind: 'domain', id: String(id) },
    details: { domain: platform_domain },
  });
  return { instance_id, domain_id: id, email };
}
