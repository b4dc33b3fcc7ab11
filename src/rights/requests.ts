import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf } from '../base/http/pagination.ts';
import { listReceipts, type Receipt } from '../consent/index.ts';
import { contactTypes } from '../base/contacts.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { readChecklist, type ChecklistItem } from './checklist.ts';
import type { RequestsQuery, RightsRequest } from './request-schemas.ts';

const columns = (
  now: string,
): string => `r.id, r.kind, r.status, r.origin, r.contacts, r.purpose_ids, r.detail, r.language,
  r.received_at, r.due_at, r.status = 'open' and r.due_at < ${now} as is_overdue, r.extended_at, r.extension_reason,
  r.verified_at, r.started_at, r.stopped_at, r.stop_reason, r.closed_at, r.ground, r.resolution, r.lifted_at`;

export interface Asked {
  hashes: ContactHashes;
  now: Date;
}

/** What is due first comes first; then what is closed, newest first. */
export async function listRequests(
  db: Queryable,
  instanceId: number,
  { filters, hashes, now }: Asked & { filters: RequestsQuery },
): Promise<PageOf<RightsRequest>> {
  const { contact } = filters;
  const possible = contact
    ? contactTypes.map((contact_type) => hashes.of(instanceId, { contact_type, contact }))
    : undefined;
  const conditions = new Conditions([now])
    .where('r.instance_id = ?', instanceId)
    .where('r.kind = ?', filters.kind)
    .where('r.status = ?', filters.status)
    .where('r.contact_hashes && ?::bytea[]', possible);
  return await selectPage<RightsRequest>(
    db,
    {
      columns: columns('$1::timestamptz'),
      source: `from rights_requests r where $1::timestamptz is not null and ${conditions.sql()}`,
      order_by: `(case when r.status = 'open' then r.due_at end) nulls last, r.id desc`,
      values: conditions.values,
    },
    filters,
  );
}

export async function getRequest(
  db: Queryable,
  instanceId: number,
  { id, now }: { id: number; now: Date },
): Promise<RightsRequest & { note: string | null; checklist: ChecklistItem[]; receipts: Receipt[] }> {
  const [row] = await db.query<RightsRequest & { note: string | null; checked: string[] }>(
    `select ${columns('$3::timestamptz')}, r.note, r.checked from rights_requests r where r.instance_id = $1 and r.id = $2`,
    [instanceId, id, now],
  );
  if (!row) throw new Problem('rights_request_not_found');
  const receipts = await listReceipts(db, instanceId, { subject: 'rights_request', subject_id: id });
  const { checked, ...request } = row;
  return { ...request, checklist: readChecklist(row.kind, checked), receipts };
}

/** Locked until the transaction ends. */
export async function lockRequest(
  tx: Queryable,
  instanceId: number,
  id: number,
): Promise<RightsRequest & { contact_hashes: Buffer[] }> {
  const [row] = await tx.query<RightsRequest & { contact_hashes: Buffer[] }>(
    `select ${columns('now()')}, r.contact_hashes from rights_requests r
     where r.instance_id = $1 and r.id = $2 for no key update`,
    [instanceId, id],
  );
  if (!row) throw new Problem('rights_request_not_found');
  return row;
}
