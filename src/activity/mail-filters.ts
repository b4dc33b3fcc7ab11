import { mailNotBlocked, notBlocked } from '../base/db/blocked-contacts.ts';
import { escapeLike, type Conditions } from '../base/db/conditions.ts';
import { readDateRange } from '../base/http/date-range.ts';
import type { ExportSelection } from '../exports/index.ts';
import { categorySlug, retentionStart, statusCode } from '../mails/index.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';
import { millisecondsOf } from './mail-id.ts';
import type { MailFilters, SentFilters } from './mail-schemas.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Matches no mail; used for invalid ids. */
const noMail = '00000000-0000-0000-0000-000000000000';
const defaultMonths = 3;

export interface Listing<Query> {
  query: Query;
  now: Date;
  instance: { id: number; timezone: string; retention_months: number };
}

export interface Range {
  from: Date;
  until: Date;
  /** Start of the retention. */
  kept: Date;
}

const quarterMs = 15 * 60_000;

/**
 * The requested dates or the last three months, within retention even before it has deleted. Both ends are on a
 * quarter of an hour, like statistics.
 */
export function rangeOf({ query, now, instance }: Listing<MailFilters>): Range {
  const { timezone, retention_months } = instance;
  const { from, until } = readDateRange(query, { now, timezone, months: defaultMonths });
  const start = retentionStart(now, retention_months).getTime();
  const kept = new Date(Math.ceil(start / quarterMs) * quarterMs);
  // Not before the retention either: identifiers begin in 1970, and an earlier time would have the highest ones.
  return { from: from > kept ? from : kept, until: until > kept ? until : kept, kept };
}

/** Whether a filter finds few of many mails by an index of its own. */
export function isSelective(query: MailFilters): boolean {
  const { recipient, msg_id, mail_id, custom_msg_id, custom_group_code, tag = [] } = query;
  const texts = [recipient, msg_id, mail_id, custom_msg_id, custom_group_code, ...tag];
  return texts.some((filter) => typeof filter === 'string');
}

/** The codes that both filters ask for together; undefined for all. */
export function statusesOf({ status, statuses }: SentFilters): number[] | undefined {
  const any = [...new Set((statuses ?? []).map(statusCode))];
  if (status === null || status === undefined) return any.length === 0 ? undefined : any;
  const one = statusCode(status);
  return any.length === 0 || any.includes(one) ? [one] : [];
}

/** Deleted ones too: past mail is theirs. The value is the domain; `$1` of every statement is the instance. */
export const sendersOfDomain = 'select id from senders where domain_id = ? and instance_id = $1';

/** Filters of all lists but the dates, on `mails m`. */
export function addMailFilters(
  conditions: Conditions,
  { query, instance }: Pick<Listing<MailFilters>, 'query' | 'instance'>,
): Conditions {
  conditions
    .where('m.sender_id = ?', query.sender_id)
    .where(
      'm.sender_id in (select id from senders where domain_id = ? and instance_id = m.instance_id)',
      query.domain_id,
    )
    .where('m.custom_msg_id = ?', query.custom_msg_id)
    .where('m.custom_group_code = ?', query.custom_group_code)
    .where('m.test_mode = ?', query.test_mode)
    .where(subjectContains('m.subject', '?'), patternOf(query.subject));
  addCategory(conditions, { column: 'm.category_id', category: query.category, instance });
  addTags(conditions, { query, instance });
  addIdentifiers(conditions, query);
  addRecipient(conditions, query);
  return conditions;
}

/** By the index of tags, in which the planner finds those of few mails first. */
function addTags(
  conditions: Conditions,
  { query: { tag = [] }, instance }: Pick<Listing<MailFilters>, 'query' | 'instance'>,
): void {
  if (tag.length === 0) return;
  const owner = conditions.value(instance.id);
  for (const each of new Set(tag)) {
    conditions.where(
      `m.mail_id in (select mail_id from mail_tags where instance_id = ${owner} and tag = ?)`,
      each,
    );
  }
}

/** A category is asked for as it was given or as its slug. One without letters and digits is of no mail. */
export function addCategory(
  conditions: Conditions,
  of: { column: string; category: string | null | undefined; instance: { id: number } },
): Conditions {
  if (typeof of.category !== 'string') return conditions;
  const instance = conditions.value(of.instance.id);
  return conditions.where(
    `${of.column} = (select id from categories where instance_id = ${instance} and slug = ?)`,
    categorySlug(of.category) ?? '',
  );
}

/** As LIKE takes it. */
export function patternOf(part: string | null | undefined): string | undefined {
  return typeof part === 'string' ? `%${escapeLike(part)}%` : undefined;
}

/**
 * Case-insensitive for all scripts, as `Conditions.contains`. ASCII, which most subjects are, is folded alike without
 * ICU, which takes longer.
 */
export function subjectContains(subject: string, pattern: string): string {
  return `case when octet_length(${subject}) = length(${subject})
    then lower(${subject} collate "C") like lower(${pattern}::text collate "und-x-icu") collate "C"
    else ${subject} collate "und-x-icu" ilike ${pattern} end`;
}

/** A message and its mails have the same timestamp, so one partition is read. */
function addIdentifiers(conditions: Conditions, { mail_id, msg_id }: MailFilters): void {
  if (typeof mail_id === 'string') {
    conditions.where('m.mail_id = ?::uuid', uuid.test(mail_id) ? mail_id : noMail);
  }
  if (typeof msg_id !== 'string') return;
  const known = uuid.test(msg_id) ? msg_id.toLowerCase() : noMail;
  conditions
    .where('m.msg_id = ?::uuid', known)
    .where(`m.mail_id >= ?::uuid`, `${known.slice(0, 13)}-0000-0000-000000000000`)
    .where('m.mail_id < uuid_at(?::timestamptz)', new Date(millisecondsOf(known) + 1));
}

/** As in the index: case-insensitive for all scripts, bytewise order. */
const key = (text: string): string => `lower(${text} collate "und-x-icu") collate "C"`;

/** That the recipient of `mails m` is not blocked; the value is the instance. */
export const recipientNotBlocked = notBlocked(key('m.recipient'));

/** Rows `events e` with their `mails m`, under conditions on both. */
export function ofEvents(
  events: Conditions,
  mails: Conditions,
  instanceId: number,
): Pick<ExportSelection, 'source' | 'count_source' | 'values'> {
  const hasFilter = mails.sql() !== 'true';
  mails.where(recipientNotBlocked, instanceId);
  const instance = `$${mails.values.length}`;
  return {
    source: `from events e join mails m on m.mail_id = e.mail_id where ${events.sql()} and ${mails.sql()}`,
    // Every event has its mail, so without a filter on mails the join is skipped.
    count_source: hasFilter
      ? undefined
      : `from events e where ${events.sql()} and ${mailNotBlocked('e.mail_id', instance)}`,
    values: mails.values,
  };
}

function addRecipient(conditions: Conditions, { recipient, recipient_operator }: MailFilters): void {
  if (typeof recipient !== 'string') return;
  if (recipient_operator === 'starts_with') {
    conditions.where(`${key('m.recipient')} like ${key('?::text')}`, `${escapeLike(recipient)}%`);
  } else {
    conditions.where(`${key('m.recipient')} = ${key('?::text')}`, withStoredDomain(recipient));
  }
}

/** An address with its domain as mails have it, in A-labels. */
function withStoredDomain(address: string): string {
  return address.replace(/(?<=@)[^@]+$/, (domain) => canonicalDomain(domain) ?? domain);
}
