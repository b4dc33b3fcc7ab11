import { notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf } from '../base/http/pagination.ts';
import { listed, type ExportSelection } from '../exports/index.ts';
import {
  complaintColumns,
  type Listing,
  restrictionColumns,
  selectComplaints,
  selectRestrictions,
  selectUnsubscribes,
  unsubscribeColumns,
} from './select-suppressions.ts';
import type {
  Complaint,
  ComplaintsQuery,
  Restriction,
  RestrictionsQuery,
  Unsubscribe,
  UnsubscribesQuery,
} from './suppression-schemas.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const asPage = ({ columns, ...selection }: ExportSelection) => ({ ...selection, columns: listed(columns) });

export async function listComplaints(
  db: Queryable,
  instanceId: number,
  listing: Listing<ComplaintsQuery>,
): Promise<PageOf<Complaint>> {
  return await selectPage<Complaint>(db, asPage(selectComplaints(instanceId, listing)), listing.query);
}

export async function listUnsubscribes(
  db: Queryable,
  instanceId: number,
  listing: Listing<UnsubscribesQuery>,
): Promise<PageOf<Unsubscribe>> {
  return await selectPage<Unsubscribe>(db, asPage(selectUnsubscribes(instanceId, listing)), listing.query);
}

export async function listRestrictions(
  db: Queryable,
  instanceId: number,
  listing: Listing<RestrictionsQuery>,
): Promise<PageOf<Restriction>> {
  const selection = selectRestrictions(instanceId, listing, listing.query.sort);
  return await selectPage<Restriction>(db, asPage(selection), listing.query);
}

const visible = (instance: string): string => notBlocked('recipient_key', instance);

/** Kept longer than the mail, so there is no retention to check. */
export async function getComplaint(db: Queryable, instanceId: number, mailId: string): Promise<Complaint> {
  const sql = `select ${listed(complaintColumns)} from complaints where mail_id = $1 and instance_id = $2 and ${visible('$2')}`;
  const [row] = uuid.test(mailId) ? await db.query<Complaint>(sql, [mailId, instanceId]) : [];
  if (!row) throw new Problem('mail_complaint_not_found');
  return row;
}

export async function getUnsubscribe(
  db: Queryable,
  instanceId: number,
  mailId: string,
): Promise<Unsubscribe> {
  const sql = `select ${listed(unsubscribeColumns)} from unsubscribes where mail_id = $1 and instance_id = $2 and ${visible('$2')}`;
  const [row] = uuid.test(mailId) ? await db.query<Unsubscribe>(sql, [mailId, instanceId]) : [];
  if (!row) throw new Problem('mail_unsubscribe_not_found');
  return row;
}

export async function getRestriction(db: Queryable, instanceId: number, id: number): Promise<Restriction> {
  const [row] = await db.query<Restriction>(
    `select ${listed(restrictionColumns)} from restrictions where id = $1 and instance_id = $2 and ${visible('$2')}`,
    [id, instanceId],
  );
  if (!row) throw new Problem('mail_restriction_not_found');
  return row;
}
