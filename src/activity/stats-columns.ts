/** What is counted, as the API names it (contract §8), in the order of the columns. */
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

/** Also counted, for the list of mails alone. */
export const statColumns = [...statTotals, 'queued', 'unopened'] as const;
