import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** A sender and its domain, as the send path needs them. */
export interface KnownSender {
  /** Of the default sender of the domain, where the address is not registered. */
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

const columns = `s.id, s.name, s.email_address, s.stream, s.requires_consent, s.consent_purpose_id,
           s.track_opens, s.track_clicks,
           d.id as domain_id, d.domain, d.is_sandbox,
           'verified' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status]) as is_verified`;

const findSender: Statement = {
  name: 'domains.find_sender',
  text: `
    select ${columns}
    from senders s join domains d on d.id = s.domain_id
    where s.instance_id = $1 and lower(s.email_address) = $2 and s.deleted_at is null and d.deleted_at is null`,
};

/** Beyond, registered addresses are looked up one by one. */
const mostRegistered = 1_000;

const findOpenDomain: Statement = {
  name: 'domains.find_open_domain',
  text: `
    select ${columns}, array(
        select lower(r.email_address) from senders r
        where r.domain_id = d.id and r.deleted_at is null limit ${mostRegistered + 1}) as registered
    from domains d join senders s on s.id = d.default_sender_id
    where d.instance_id = $1 and d.domain = $2 and d.any_sender and s.deleted_at is null and d.deleted_at is null`,
};

/** A domain of which every address may send. */
interface OpenDomain {
  sender: KnownSender;
  /** Undefined where they are too many to keep. */
  registered: ReadonlySet<string> | undefined;
}

/** As addresses of registered senders are. */
const ascii = /^[\x20-\x7e]*$/;

/** Cached, absence included. Changes are notified at once, or noticed within 5 s. */
export function createSenderDirectory(db: Queryable, notifications: Notifications): SenderDirectory {
  const find = async <Row extends KnownSender>(
    statement: Statement,
    key: string,
  ): Promise<Row | undefined> => {
    const at = key.indexOf(' ');
    const [row] = await db.query<Row & Record<string, unknown>>(statement, [
      Number(key.slice(0, at)),
      key.slice(at + 1),
    ]);
    return row;
  };
  const openDomains = createCache<string, OpenDomain | undefined>({
    load: async (key) => {
      const row = await find<KnownSender & { registered: string[] }>(findOpenDomain, key);
      if (!row) return undefined;
      const { registered, ...sender } = row;
      return { sender, registered: registered.length > mostRegistered ? undefined : new Set(registered) };
    },
    ttl_ms: 5_000,
    max_entries: 50_000,
  });
  const openDomainOf = async (instanceId: number, email: string): Promise<OpenDomain | undefined> =>
    await openDomains.get(`${instanceId} ${email.slice(email.lastIndexOf('@') + 1)}`);
  const registered = createCache<string, KnownSender | undefined>({
    load: async (key) => await find<KnownSender>(findSender, key),
    ttl_ms: 5_000,
    max_entries: 50_000,
  });
  notifications.onGap(clear);
  notifications.on('chasqui_changed', (payload) => {
    // Changes are rare and loading is cheap, so everything is cleared.
    if (payload.startsWith('senders ') || payload.startsWith('domains ')) clear();
  });
  function clear(): void {
    registered.clear();
    openDomains.clear();
  }

  return {
    async find(instanceId, email) {
      const address = email.toLowerCase();
      const key = `${instanceId} ${address}`;
      // Most mail comes from a registered address that is held: one look-up.
      const held = await registered.peek(key);
      if (held) return held;
      const open = await openDomainOf(instanceId, address);
      const isNew = open?.registered !== undefined && !open.registered.has(address);
      // Of a domain that anybody may send from, addresses are without number: none of them is looked up or kept.
      const known = isNew ? undefined : await registered.get(key);
      if (known || !open) return known;
      return ascii.test(email) ? { ...open.sender, email_address: email } : undefined;
    },
  };
}
