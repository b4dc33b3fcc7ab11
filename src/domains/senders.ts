import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Sender } from './sender-schemas.ts';

export const senderColumns = `id, name, email_address, external_id, domain_id, stream, requires_consent, consent_purpose_id,
  track_opens, track_clicks, created_at, updated_at`;

export interface SenderFilters extends PageRequest {
  name?: string | null;
  email?: string | null;
  domain_id?: number | null;
  external_id?: string | null;
}

export async function listSenders(
  db: Queryable,
  instanceId: number,
  filters: SenderFilters,
): Promise<PageOf<Sender>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .contains('name', filters.name)
    .contains('email_address', filters.email)
    .where('domain_id = ?', filters.domain_id)
    .where('external_id = ?', filters.external_id);
  return await selectPage<Sender>(
    db,
    {
      columns: senderColumns,
      source: `from senders where deleted_at is null and ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
}

export async function getSender(db: Queryable, instanceId: number, id: number): Promise<Sender> {
  const [row] = await db.query<Sender>(
    `select ${senderColumns} from senders where instance_id = $1 and id = $2 and deleted_at is null`,
    [instanceId, id],
  );
  if (!row) throw new Problem('sender_not_found');
  return row;
}

interface Search extends PageRequest {
  q?: string | null;
}

/** For autocompletion: the id and the searched column. */
export async function searchSenders<Column extends 'name' | 'email_address'>(
  db: Queryable,
  instanceId: number,
  { column, search }: { column: Column; search: Search },
): Promise<PageOf<Pick<Sender, 'id' | Column>>> {
  const conditions = new Conditions().where('instance_id = ?', instanceId).contains(column, search.q);
  return await selectPage(
    db,
    {
      columns: `id, ${column}`,
      source: `from senders where deleted_at is null and ${conditions.sql()}`,
      order_by: `lower(${column}), id`,
      values: conditions.values,
    },
    search,
  );
}
