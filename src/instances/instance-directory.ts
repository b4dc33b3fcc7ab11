import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** The settings of an instance that sending uses. */
export interface SendingTerms {
  id: number;
  timezone: string;
  is_enabled: boolean;
  subscription_status: 'active' | 'inactive';
  plan_send_limit: number | null;
  attachment_limit_bytes: number;
  bandwidth_bytes_per_second: number;
  bandwidth_burst_bytes: number;
  requests_per_second: number;
  requests_burst: number;
  smtp_messages_per_second: number;
  retention_months: number;
}

export interface InstanceDirectory {
  get(id: number): Promise<SendingTerms>;
}

const find: Statement = {
  name: 'instances.find_terms',
  text: `
    select id, timezone, is_enabled, subscription_status, plan_send_limit, attachment_limit_bytes,
      bandwidth_bytes_per_second, bandwidth_burst_bytes, requests_per_second, requests_burst, smtp_messages_per_second,
      retention_months
    from instances where id = $1`,
};

/** Cached; a change is notified at once, or noticed within 5 s. */
export function createInstanceDirectory(db: Queryable, notifications: Notifications): InstanceDirectory {
  const cache = createCache<number, SendingTerms>({
    load: async (id) => {
      const [row] = await db.query<SendingTerms>(find, [id]);
      if (!row) throw new Error(`Instance ${id} is gone.`);
      return row;
    },
    ttl_ms: 5_000,
    max_entries: 10_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    const [table, id] = payload.split(' ');
    if (table === 'instances') cache.forget(Number(id));
  });
  return { get: (id) => cache.get(id) };
}
