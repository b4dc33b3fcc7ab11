import type { Queryable } from '../base/db/database.ts';

export type SuppressionKind = 'erased' | 'blocked';

interface Suppression {
  kind: SuppressionKind;
  hashes: Buffer[];
  request_id: number;
  since: Date;
}

const hex = (hashes: Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'));

/** From now on nobody of the instance writes to these contacts. Idempotent. */
export async function suppressContacts(
  tx: Queryable,
  instanceId: number,
  { kind, hashes, request_id, since }: Suppression,
): Promise<void> {
  await tx.query(
    `insert into suppressed_contacts (instance_id, hash, kind, request_id, since)
     select $1, decode(hash, 'hex'), $3, $4, $5 from unnest($2::text[]) as given (hash)
     on conflict (instance_id, hash, kind) do nothing`,
    [instanceId, hex(hashes), kind, request_id, since],
  );
}

/** Lifts what a request had blocked. */
export async function liftBlocking(tx: Queryable, instanceId: number, requestId: number): Promise<void> {
  await tx.query(
    `delete from suppressed_contacts where instance_id = $1 and request_id = $2 and kind = 'blocked'`,
    [instanceId, requestId],
  );
}
