import type { Clock } from '../base/clock.ts';
import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** What the send path needs to know about a sender and its domain. */
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
  /** By address in any case; undefined when the instance has no such sender. */
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

/** Remembers senders, absent ones too. A change of any sender or domain is heard of at once, or within 5 s. */
export function createSenderDirectory(
  db: Queryable,
  notifications: Notifications,
  clock: Clock,
): SenderDirectory {
  const cache = createCache<string, KnownSender | undefined>({
    load: async (key) => {
      const at = key.indexOf(' ');
      const [row] = await db.query<KnownSender>(findSender, [Number(key.slice(0, at)), key.slice(at + 1)]);
      return row;
    },
    clock,
    ttl_ms: 5_000,
    max_entries: 50_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    // Changes are rare and entries cheap to load again, so there is no index from ids back to addresses.
    if (payload.startsWith('senders ') || payload.startsWith('domains ')) cache.clear();
  });
  return {
    find: (instanceId, email) => cache.get(`${instanceId} ${email.toLowerCase()}`),
  };
}
