/**
 * SQL for whether unsubscribe `u` holds for broadcasts of a purpose, which may be null. It was lifted by a resubscribe for
 * everything, or by a double opt-in for the purposes that were agreed to. One by the link of a broadcast is from its purpose only.
 */
export function isStanding(purpose: string): string {
  return `(u.resubscribed_at is null and (not u.is_purpose_only or u.consent_purpose_id = ${purpose})
    and not exists (select from unsubscribe_lifts lifted
    where lifted.mail_id = u.mail_id and lifted.consent_purpose_id = ${purpose}))`;
}
