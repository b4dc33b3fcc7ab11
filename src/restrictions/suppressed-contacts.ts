import type { Queryable } from '../base/db/database.ts';

export type SuppressionKind = 'erased' | 'blocked';

interface Suppression {
  kind: SuppressionKind;
  hashes: Buffer[];
  request_id: number;
  since: Date;
}

const hex = (hashes: Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'));

/**
 * From now on the instance does not send to these contacts. Idempotent. A person who was erased, came back and is erased again has
 * left since then: a backup from between is erased again by that time.
 */
export async function suppressContacts(
  tx: Queryable,
  instanceId: number,
  { kind, hashes, request_id, since }: Suppression,
): Promise<void> {
  await tx.query(
    `insert into suppressed_contacts (instance_id, hash, kind, request_id, since)
     select $1, decode(hash, 'hex'), $3, $4, $5 from unnest($2::text[]) as given (hash)
     on conflict (instance_id, hash, kind) do update
       set request_id = excluded.request_id, since = excluded.since, returned_at = null
       where suppressed_contacts.kind = 'erased' and suppressed_contacts.since < excluded.since`,
    [instanceId, hex(hashes), kind, request_id, since],
  );
}

const erased = `instance_id = $1 and hash in (select decode(hash, 'hex') from unnest($2::text[]) as given (hash))
  and kind = 'erased' and returned_at is null`;

interface Erased {
  hash: Buffer;
  /** The request that they were erased by. */
  request_id: number;
}

/** Which of the contacts belong to people who were erased and have not come back. */
export async function findErased(db: Queryable, instanceId: number, hashes: Buffer[]): Promise<Erased[]> {
  return await db.query<Erased & Record<string, unknown>>(
    `select hash, request_id from suppressed_contacts where ${erased}`,
    [instanceId, hex(hashes)],
  );
}

/** People who were erased come back. Gives their erasures. */
export async function markReturned(
  tx: Queryable,
  instanceId: number,
  { hashes, at }: { hashes: Buffer[]; at: Date },
): Promise<Erased[]> {
  return await tx.query<Erased & Record<string, unknown>>(
    `update suppressed_contacts set returned_at = $3 where ${erased} returning hash, request_id`,
    [instanceId, hex(hashes), at],
  );
}

/** Lifts what a request had blocked. */
export async function liftBlocking(tx: Queryable, instanceId: number, requestId: number): Promise<void> {
  await tx.query(
    `delete from suppressed_contacts where instance_id = $1 and request_id = $2 and kind = 'blocked'`,
    [instanceId, requestId],
  );
}

/** Lifts what a request had erased: the rows of its own contacts, since a restore may have taken over another one of that number. */
export async function liftErasure(
  tx: Queryable,
  instanceId: number,
  { request_id, hashes }: Pick<Suppression, 'request_id' | 'hashes'>,
): Promise<void> {
  await tx.query(
    `delete from suppressed_contacts where instance_id = $1 and request_id = $2 and kind = 'erased'
       and hash in (select decode(hash, 'hex') from unnest($3::text[]) as given (hash))`,
    [instanceId, request_id, hex(hashes)],
  );
}
