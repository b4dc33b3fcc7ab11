import type { Queryable } from '../base/db/database.ts';
import type { Actor } from '../audit/index.ts';
import { announceRequest } from './announce-request.ts';
import { recordStep } from './record-step.ts';
import type { RequestKind } from './request-schemas.ts';

const valid_days = 7;

export interface AskedRequest {
  id: number;
  instance_id: number;
  kind: RequestKind;
  status: string;
  due_at: Date;
  language: 'es' | 'en';
  instance_name: string;
  timezone: string;
  is_expired: boolean;
}

/** A request that was asked for on the page. */
export async function findAsked(
  db: Queryable,
  id: number | undefined,
  now: Date,
): Promise<AskedRequest | undefined> {
  if (id === undefined) return undefined;
  const [row] = await db.query<AskedRequest & Record<string, unknown>>(
    `select r.id, r.instance_id, r.kind, r.status, r.due_at, r.language, i.name as instance_name, i.timezone,
       r.received_at < $2::timestamptz - interval '${valid_days} days' as is_expired
     from rights_requests r join instances i on i.id = r.instance_id where r.id = $1 and r.origin = 'page'`,
    [id, now],
  );
  return row;
}

/** The link proves that its user reads the mail of the address. It works once; the time to answer runs since the request. */
export async function verifyRequest(
  tx: Queryable,
  id: number,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  const [request] = await tx.query<{
    id: number;
    instance_id: number;
    kind: RequestKind;
    contact_hashes: Buffer[];
  }>(
    `update rights_requests set status = 'open', verified_at = $2
     where id = $1 and status = 'unverified' and received_at >= $2::timestamptz - interval '${valid_days} days'
     returning id, instance_id, kind, contact_hashes`,
    [id, now],
  );
  if (!request) return;
  await recordStep(tx, request.instance_id, { request, step: 'verified', actor, at: now });
  await announceRequest(tx, request, now);
}
