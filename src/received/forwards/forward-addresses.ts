import { type Actor, auditOf } from '../../audit/index.ts';
import { addressKey } from '../../base/db/address-key.ts';
import type { Queryable } from '../../base/db/database.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import { limitPlatformMail, type PlatformMailLimits } from '../../limits/index.ts';
import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import type { ForwardAddress } from './forward-address-schemas.ts';

const audit = auditOf('forward_address');
const maxAddresses = 100;
/** Of the link in the mail. */
export const linkDays = 7;

export const forwardColumns =
  'id, address, verified_at is not null as is_verified, verified_at, asked_at, created_at';

interface Asking {
  address: string;
  mail_limits: PlatformMailLimits;
  /** Of the caller. */
  from: string;
  actor: Actor;
}

/** Adds an address, or asks one again that has not agreed; the caller writes to it once this is committed. */
export async function askForwardAddress(
  tx: Queryable,
  instanceId: number,
  { address: given, mail_limits, from, actor }: Asking,
): Promise<ForwardAddress> {
  const address = canonicalAddress(given)?.address;
  if (address === undefined) throw notAnAddress();
  const [count] = await tx.query<{ others: number }>(
    `select count(*)::integer as others from forward_addresses
     where instance_id = $1 and address_key <> ${addressKey('$2')}`,
    [instanceId, address],
  );
  if ((count?.others ?? 0) >= maxAddresses) throw new Problem('forward_address_limit_reached');
  const [known] = await tx.query<ForwardAddress & Record<string, unknown>>(
    `insert into forward_addresses as f (instance_id, address) values ($1, $2)
     on conflict (instance_id, address_key) do update set asked_at = case when f.verified_at is null then now() else f.asked_at end
     returning ${forwardColumns}`,
    [instanceId, address],
  );
  if (!known || known.is_verified) throw new Problem('forward_address_verified');
  const request = { kind: 'platform', instance_id: instanceId, recipient: address, address: from } as const;
  await limitPlatformMail(tx, mail_limits, request);
  await audit(tx, instanceId, { action: 'asked', id: known.id, actor, details: { address } });
  return known;
}

const notAnAddress = (): Problem =>
  validationProblem([
    { pointer: '/address', code: 'value_error.email', message: 'This is not an email address' },
  ]);

/** Routes that forward to it alone keep what comes in. */
export async function deleteForwardAddress(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const [gone] = await tx.query<{ address: string }>(
    'delete from forward_addresses where instance_id = $1 and id = $2 returning address',
    [instanceId, id],
  );
  if (!gone) throw new Problem('forward_address_not_found');
  await tx.query(
    `with others as (
       select r.id, array(select a from unnest(r.forward_to) as a where ${addressKey('a')} <> ${addressKey('$2')}) as forward_to
       from inbound_routes r where r.instance_id = $1 and r.action = 'forward'
     )
     update inbound_routes r set forward_to = others.forward_to, updated_at = now(),
       action = case when cardinality(others.forward_to) = 0 then 'store' else r.action end
     from others where others.id = r.id and others.forward_to <> r.forward_to`,
    [instanceId, gone.address],
  );
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { address: gone.address } });
}

export interface AskedAddress {
  id: number;
  instance_id: number;
  instance_name: string;
  address: string;
  is_verified: boolean;
  is_expired: boolean;
}

/** What the link in the mail is about. */
export async function findAskedAddress(
  db: Queryable,
  id: number | undefined,
): Promise<AskedAddress | undefined> {
  if (id === undefined) return undefined;
  const [row] = await db.query<AskedAddress & Record<string, unknown>>(
    `select f.id, f.instance_id, i.name as instance_name, f.address, f.verified_at is not null as is_verified,
       f.asked_at < now() - interval '${linkDays} days' as is_expired
     from forward_addresses f join instances i on i.id = f.instance_id where f.id = $1`,
    [id],
  );
  return row;
}

/** The person who reads the address agrees. Repeating it changes nothing. */
export async function verifyForwardAddress(tx: Queryable, id: number): Promise<void> {
  const [verified] = await tx.query<{ instance_id: number; address: string }>(
    `update forward_addresses set verified_at = now()
     where id = $1 and verified_at is null and asked_at >= now() - interval '${linkDays} days'
     returning instance_id, address`,
    [id],
  );
  if (!verified) return;
  const { instance_id, address } = verified;
  await audit(tx, instance_id, { action: 'verified', id, actor: { kind: 'system' }, details: { address } });
}
