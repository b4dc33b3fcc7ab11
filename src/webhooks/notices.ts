import type { Queryable } from '../base/db/database.ts';
import { type PersonEvent, isPersonType, loadPersonEvents } from './person-events.ts';

/** An event about no mail, as it is posted. */
export interface NoticeRow {
  event_id: string;
  instance_id: number;
  type: string;
  at: Date;
  data: Record<string, unknown>;
  /** Whom it is about; undefined for an alert. */
  person?: PersonEvent | undefined;
}

type StoredNotice = NoticeRow & { subject_id: number | null };

/** What is about a person is read as it is now; an event whose person was erased is missing. */
export async function loadNotices(db: Queryable, eventIds: string[]): Promise<NoticeRow[]> {
  if (eventIds.length === 0) return [];
  const rows = await db.query<StoredNotice & Record<string, unknown>>(
    'select event_id, instance_id, type, at, data, subject_id from webhook_notices where event_id = any($1::uuid[])',
    [eventIds],
  );
  const persons = await loadPersonEvents(
    db,
    rows.flatMap(({ type, subject_id }) =>
      isPersonType(type) && subject_id !== null ? [{ type, subject_id }] : [],
    ),
  );
  return rows.flatMap(({ subject_id, ...notice }) => {
    if (!isPersonType(notice.type)) return [notice];
    const person = persons.get(`${notice.type} ${subject_id}`);
    return person ? [{ ...notice, person }] : [];
  });
}

export function renderNotice({ type, at, data, person }: NoticeRow): string {
  const about = person ? { ...person.data, ...data } : data;
  return JSON.stringify({ type, timestamp: at.toISOString(), data: { mail_id: null, ...about } });
}
