import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { type Asked, selectAuditEvents } from './list-audit.ts';
import { linesOf } from './naming-lines.ts';
import { blockedText, withoutPerson } from './person-in-line.ts';

/** How many lines that name a blocked person keep their other details in an export; more would not fit in memory. */
const maxDetailed = 10_000;

interface MaskedLines {
  ids: number[];
  object_ids: (string | null)[];
  details: string[];
}

/** The selection of an export, with `masked` beside `a` for the lines that name a blocked person. */
export async function maskedAuditEvents(
  db: Queryable,
  instanceId: number,
  { blocked, ...asked }: Asked & { blocked: BlockedPersons },
): Promise<{ source: string; order_by: string; values: unknown[] }> {
  const { order_by, from, where, values } = selectAuditEvents(instanceId, asked);
  const { ids, object_ids, details } = await maskedLines(db, instanceId, blocked);
  const [first, second, third] = [1, 2, 3].map((place) => `$${values.length + place}`);
  const masked = `left join unnest(${first}::bigint[], ${second}::text[], ${third}::text[])
    as masked (id, object_id, details) on masked.id = a.id`;
  return { source: `${from} ${masked} ${where}`, order_by, values: [...values, ids, object_ids, details] };
}

/** As they are shown. */
export const maskedColumns = {
  object_id: 'case when masked.id is null then a.object_id else masked.object_id end',
  details: 'coalesce(masked.details::jsonb, a.details)',
} as const;

async function maskedLines(db: Queryable, instanceId: number, blocked: BlockedPersons): Promise<MaskedLines> {
  const masked: MaskedLines = { ids: [], object_ids: [], details: [] };
  if (!(await blocked.isAnybody(instanceId))) return masked;
  for await (const lines of linesOf(db, instanceId)) {
    const recognises = await blocked.among(instanceId, (each) => {
      for (const line of lines) withoutPerson(line, each, '');
    });
    if (!recognises) continue;
    for (const line of lines) {
      const named = withoutPerson(line, recognises, blockedText);
      if (!named) continue;
      masked.details.push(masked.ids.length < maxDetailed ? JSON.stringify(named.words.details) : '{}');
      masked.ids.push(line.id);
      masked.object_ids.push(named.words.object_id);
    }
  }
  return masked;
}
