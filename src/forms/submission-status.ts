/**
 * SQL for the state of submission `s`. A pending one is over when its time is, or when every consent of it has
 * expired: its link would confirm nothing. A job stores it later, so that everything that shows or uses the state asks here.
 */
export function isOver(now: string): string {
  return `(s.expires_at <= ${now} or (cardinality(s.consent_event_ids) > 0 and not exists (
    select from unnest(s.consent_event_ids) as given (id)
      left join consent_event_outcomes o on o.event_id = given.id and o.status = 'expired'
    where o.event_id is null)))`;
}

export function shownStatus(now: string): string {
  return `case when s.status = 'pending' and ${isOver(now)} then 'expired' else s.status end`;
}
