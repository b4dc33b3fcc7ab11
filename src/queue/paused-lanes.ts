import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** More than this is not kept in memory. */
const max_lanes = 10_000;

const list: Statement = {
  name: 'queue.list_paused',
  text: `select instance_id, destination from paused_destinations limit ${max_lanes + 1}`,
};

export interface PausedLanes {
  /** True also while nobody knows. */
  has(instanceId: number, destination: string): boolean;
  /** Reads them anew: now and then, since a notification may be lost. */
  refresh(): Promise<void>;
}

/** The destinations that are paused, for whoever has no query to ask in. A change is heard of at once. */
export function createPausedLanes(db: Queryable, notifications: Notifications): PausedLanes {
  let known: Set<string> | undefined;
  let asked = 0;

  async function refresh(): Promise<void> {
    const mine = ++asked;
    const rows = await db.query<{ instance_id: number; destination: string }>(list);
    // A change that came while it was read is read by the one who heard of it.
    if (mine !== asked) return;
    known =
      rows.length > max_lanes
        ? undefined
        : new Set(rows.map(({ instance_id, destination }) => `${instance_id} ${destination}`));
  }

  const doubt = (): void => {
    known = undefined;
    // Stays in doubt when it cannot be read; whoever refreshes now and then finds out.
    void refresh().catch(() => undefined);
  };
  notifications.onGap(doubt);
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('paused_destinations ')) doubt();
  });
  return {
    has: (instanceId, destination) => known === undefined || known.has(`${instanceId} ${destination}`),
    refresh,
  };
}
