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

/** Also counted, for lists of mails. They have every mail, those in `test_mode` too. */
export const statColumns = [...statTotals, 'queued', 'unopened'] as const;

/** What came of mails in `test_mode`; deltas have `is_test` instead. */
const testTotals = statTotals.filter((name) => name !== 'test');
export const testColumns = testTotals.map((name) => `test_${name}`);
/** Of deltas, in the order of `testColumns`. */
export const testSums = testTotals.map((name) => `coalesce(sum(${name}) filter (where is_test), 0)`);

/** A counter as reports show it: mails in `test_mode` count as `test` and as nothing else. */
export function reported(name: keyof StatTotals, table: 'folded' | 'deltas'): string {
  if (name === 'test') return name;
  return table === 'folded' ? `${name} - test_${name}` : `case when is_test then 0 else ${name} end`;
}

/** Of deltas to the sandbox, as reports show them. */
export const sandboxSums = statTotals.map((name) => `coalesce(sum(${reported(name, 'deltas')}), 0)`);
