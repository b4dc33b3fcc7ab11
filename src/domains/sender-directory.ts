import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** A sender and its domain, as the send path needs them. */
export interface KnownSender {
  id: number;
  name: string;
  email_address: string;
  stream: 'transactional' | 'broadcast';
  requires_consent: boolean;
  consent_purpose_id: number | null;
  domain_id: number;
  domain: string;
  is_sandbox: boolean;
  is_verified: boolean;
  track_opens: boolean;
  track_clicks: boolean;
}

export interface SenderDirectory {
  /** Case-insensitive. */
  find(instanceId: number, email: string): Promise<KnownSender | undefined>;
}

const findSender: Statement = {
  name: 'domains.find_sender',
  text: `
    select s.id, s.name, s.email_address, s.stream, s.requires_consent, s.consent_purpose_id,
           s.track_opens, s.track_clicks,
           d.id as domain_id, d.domain, d.is_sandbox,
           'verified' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status]) as is_verified
    from senders s join domains d on d.id = s.domain_id
    where s.instance_id = $1 and lower(s.email_address) = $2 and s.deleted_at is null and d.deleted_at is null`,
};

/** Cached, absence included. Changes are notified at once, or noticed within 5 s. */
export function createSenderDirectory(db: Queryable, notifications: Notifications): SenderDirectory {
  const cache = createCache<string, KnownSender | undefined>({
    load: async (key) => {
      const at = key.indexOf(' ');
      const [row] = await db.query<KnownSender>(findSender, [Number(key.slice(0, at)), key.slice(at + 1)]);
      return row;
    },
    ttl_ms: 5_000,
    max_entries: 50_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    // Changes are rare and loading is cheap, so the whole cache is cleared.
    if (payload.startsWith('senders ') || payload.startsWith('domains ')) cache.clear();
  });
  return {
    find: (instanceId, email) => cache.get(`${instanceId} ${email.toLowerCase()}`),
  };
}
