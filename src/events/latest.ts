/**
 * When something happened that was asked for before: a transaction may wait for a connection or a lock, and what was
 * recorded meanwhile came first. `seen` are times of the database, read under the lock.
 */
export function latest(asked_at: Date, ...seen: Date[]): Date {
  return new Date(seen.reduce((last, at) => Math.max(last, at.getTime()), asked_at.getTime()));
}
