import { addressKey } from '../base/db/address-key.ts';
import { isAnybodyBlocked, notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { Conditions } from '../base/db/conditions.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Audience } from './audience-schemas.ts';
import type { Broadcast, BroadcastState, LeftOut } from './broadcast-schemas.ts';

/** As stored. */
export interface StoredBroadcast extends Omit<Broadcast, 'audience' | 'progress' | 'custom_group_code'> {
  instance_id: number;
  purpose_id: number;
  audience: Omit<Audience, 'purpose_id'>;
  group_code: string;
  recipient_count: number | null;
  position: number;
  accepted_count: number;
  left_out: Record<string, number>;
  audience_left_out: Record<string, number>;
}

export interface BroadcastRow extends StoredBroadcast {
  /** Without excluded addresses of people who are blocked (contract §15). */
  shown_audience: StoredBroadcast['audience'];
}

const shownAudience = `
  case when audience -> 'exclude' is null or not ${isAnybodyBlocked('instance_id')} then audience
  else jsonb_set(audience, '{exclude}', coalesce((
    select jsonb_agg(excluded) from jsonb_array_elements_text(audience -> 'exclude') as excluded
    where ${notBlocked(addressKey('excluded'), 'instance_id')}), '[]')) end`;

export const storedColumns = `id, instance_id, name, sender_id, template_id, purpose_id, audience, group_code, schedule_at, per_hour,
  state, paused_by, recipient_count, position, accepted_count, left_out, audience_left_out, created_at, updated_at, started_at,
  finished_at`;
export const broadcastColumns = `${storedColumns}, ${shownAudience} as shown_audience`;

export interface BroadcastFilters extends PageRequest {
  name?: string | null;
  state?: BroadcastState | null;
}

type Row = BroadcastRow & Record<string, unknown>;

export async function listBroadcasts(
  db: Queryable,
  instanceId: number,
  filters: BroadcastFilters,
): Promise<PageOf<Broadcast>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .contains('name', filters.name)
    .where('state = ?', filters.state);
  const { data, pagination } = await selectPage<Row>(
    db,
    {
      columns: broadcastColumns,
      source: `from broadcasts where ${conditions.sql()}`,
      order_by: 'id desc',
      values: conditions.values,
    },
    filters,
  );
  return { data: data.map(shown), pagination };
}

export async function getBroadcast(db: Queryable, instanceId: number, id: number): Promise<Broadcast> {
  return shown(await getBroadcastRow(db, instanceId, id));
}

export async function getBroadcastRow(db: Queryable, instanceId: number, id: number): Promise<BroadcastRow> {
  return await selectOne(db, instanceId, { id, lock: '' });
}

/** For a transaction that changes it. */
export async function lockBroadcast(tx: Queryable, instanceId: number, id: number): Promise<BroadcastRow> {
  return await selectOne(tx, instanceId, { id, lock: 'for update' });
}

async function selectOne(
  db: Queryable,
  instanceId: number,
  { id, lock }: { id: number; lock: 'for update' | '' },
): Promise<BroadcastRow> {
  const [row] = await db.query<Row>(
    `select ${broadcastColumns} from broadcasts where instance_id = $1 and id = $2 ${lock}`,
    [instanceId, id],
  );
  if (!row) throw new Problem('broadcast_not_found');
  return row;
}

export function audienceOf({
  purpose_id,
  audience,
}: Pick<BroadcastRow, 'purpose_id' | 'audience'>): Audience {
  return { purpose_id, ...audience };
}

export function shown(row: BroadcastRow): Broadcast {
  return {
    id: row.id,
    name: row.name,
    sender_id: row.sender_id,
    template_id: row.template_id,
    audience: audienceOf({ ...row, audience: row.shown_audience }),
    schedule_at: row.schedule_at,
    per_hour: row.per_hour,
    state: row.state,
    paused_by: row.paused_by,
    progress: {
      recipients: row.recipient_count,
      handled: row.position,
      accepted: row.accepted_count,
      left_out: leftOutOf(row.left_out),
    },
    custom_group_code: row.group_code,
    created_at: row.created_at,
    updated_at: row.updated_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  };
}

/** Most frequent first. */
export function leftOutOf(counts: Record<string, number>): LeftOut[] {
  return Object.entries(counts)
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
