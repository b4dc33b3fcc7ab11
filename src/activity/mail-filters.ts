import { escapeLike, type Conditions } from '../base/db/conditions.ts';
import { readDateRange, type DateRange } from '../base/http/date-range.ts';
import type { MailFilters } from './mail-schemas.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Names no mail, as does what is no identifier at all. */
const nobody = '00000000-0000-0000-0000-000000000000';
const retention_months = 3;

export interface Listing<Query> {
  query: Query;
  now: Date;
  timezone: string;
}

export function rangeOf({ query, now, timezone }: Listing<MailFilters>): DateRange {
  return readDateRange(query, { now, timezone, months: retention_months });
}

/** What all lists of mails and of their events can be filtered by, but for the dates; on the columns of `mails` as m. */
export function addMailFilters(conditions: Conditions, query: MailFilters): Conditions {
  conditions
    .where('m.sender_id = ?', query.sender_id)
    .where('m.custom_msg_id = ?', query.custom_msg_id)
    .where('m.custom_group_code = ?', query.custom_group_code)
    .contains('m.subject', query.subject);
  for (const key of ['msg_id', 'mail_id'] as const) {
    const value = query[key];
    if (typeof value === 'string') conditions.where(`m.${key} = ?::uuid`, uuid.test(value) ? value : nobody);
  }
  addRecipient(conditions, query);
  return conditions;
}

function addRecipient(conditions: Conditions, { recipient, recipient_operator }: MailFilters): void {
  if (typeof recipient !== 'string') return;
  if (recipient_operator === 'starts_with') {
    conditions.where('m.recipient collate "und-x-icu" ilike ?', `${escapeLike(recipient)}%`);
  } else {
    conditions.where('lower(m.recipient) = lower(?)', recipient);
  }
}
