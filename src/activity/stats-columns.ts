/** Counters by their API names (contract §8), in column order. */
export const statTotals = [
  'received',
  'sent',
  'dropped',
  'deferred',
  'bounced',
  'onhold',
  'test',
  'opens',
  'unique_opens',
  'clicks',
  'unique_clicks',
  'unsubscribes',
  'complaints',
] as const;
export type StatTotals = Record<(typeof statTotals)[number], number>;

/** Also counted, for lists of mails. */
export const statColumns = [...statTotals, 'queued', 'unopened'] as const;
