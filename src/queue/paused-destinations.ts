import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** Above this nothing is cached, and every destination counts as paused. */
const maxDestinations = 10_000;

const list: Statement = {
  name: 'queue.list_paused',
  text: `select instance_id, destination from paused_destinations limit ${maxDestinations + 1}`,
};

export interface PausedDestinations {
  /** Also true while the cache is not loaded. */
  has(instanceId: number, destination: string): boolean;
  /** Reloads the cache. Call it periodically: a notification may be lost. */
  refresh(): Promise<void>;
}

/** A cache of the paused destinations, for decisions that cannot wait for a query. Notifications invalidate it. */
export function createPausedDestinations(db: Queryable, notifications: Notifications): PausedDestinations {
  let paused: Set<string> | undefined;
  let version = 0;

  async function refresh(): Promise<void> {
    const loading = ++version;
    const rows = await db.query<{ instance_id: number; destination: string }>(list);
    // A later load has seen at least as much.
    if (loading !== version) return;
    paused =
      rows.length > maxDestinations
        ? undefined
        : new Set(rows.map(({ instance_id, destination }) => `${instance_id} ${destination}`));
  }

  const invalidate = (): void => {
    paused = undefined;
    // After a failure the cache stays empty until the next periodic refresh.
    void refresh().catch(() => undefined);
  };
  notifications.onGap(invalidate);
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('paused_destinations ')) invalidate();
  });
  return {
    has: (instanceId, destination) => paused === undefined || paused.has(`${instanceId} ${destination}`),
    refresh,
  };
}
