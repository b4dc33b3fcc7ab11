import type { Operations } from '../../api/operations.ts';

export type Queue = Operations['panel_get_queue']['result'];

export interface QueueRow {
  destination: string;
  mails: number;
  next_due_at: string | null;
  /** When the oldest of those that were tried most was accepted. */
  oldest_at: string | null;
  attempts: number;
  last_error: string | null;
  paused_at: string | null;
  is_paused: boolean;
  is_under_way: boolean;
}

/** Where mail waits for, and below that the paused destinations without any. */
export function rowsOf({ destinations, paused }: Queue): QueueRow[] {
  const since = new Map(paused.map(({ destination, paused_at }) => [destination, paused_at]));
  const waiting = destinations.map((row) => ({ ...row, paused_at: since.get(row.destination) ?? null }));
  const shown = new Set(destinations.map(({ destination }) => destination));
  const idle = paused
    .filter(({ destination }) => !shown.has(destination))
    .map((row) => ({
      ...row,
      mails: 0,
      next_due_at: null,
      oldest_at: null,
      attempts: 0,
      last_error: null,
      is_paused: true,
      is_under_way: false,
    }));
  return [...waiting, ...idle];
}
