import { Counter, type Registry } from 'prom-client';
import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Log } from '../base/log.ts';
import { createAuthoritativeServer } from '../protocol/dns/authoritative-server.ts';
import { createPlatformZone } from './zone/platform-zone.ts';
import type { PlatformZoneData } from './zone/platform-records.ts';
import type { PublishedDkimKey } from './zone/zone-file.ts';

interface DnsRoleOptions {
  db: Queryable;
  notifications: Notifications;
  log: Log;
  registry: Registry;
  zone: PlatformZoneData;
}

/** Mail that a deleted domain had accepted is still sent: five days in our queue, as many in those of others. */
const isPublished = `(d.deleted_at is null or d.deleted_at > now() - interval '10 days')`;

const findPublicKey: Statement = {
  name: 'domains.find_dkim_public_key',
  text: `
    select k.public_key from dkim_keys k join domains d on d.id = k.domain_id
    where d.ownership_token = $1 and k.selector = $2 and ${isPublished}`,
};

const findOwnPublicKey: Statement = {
  name: 'domains.find_platform_dkim_public_key',
  text: `
    select k.public_key from dkim_keys k join domains d on d.id = k.domain_id join instances i on i.id = d.instance_id
    where i.is_platform and d.domain = $1 and k.selector = $2 and d.deleted_at is null`,
};

/** Authoritative server for the platform's zone, with the DKIM keys of all domains. */
export function createDnsRole({ db, notifications, log, registry, zone }: DnsRoleOptions) {
  const keys = createCache<string, string | undefined>({
    load: async (key) => {
      const [selector, token] = key.split(' ');
      const [row] = token
        ? await db.query<{ public_key: string }>(findPublicKey, [token, selector])
        : await db.query<{ public_key: string }>(findOwnPublicKey, [zone.platform_domain, selector]);
      return row?.public_key;
    },
    // New keys must show soon; a key in use costs a query a minute.
    ttl_ms: 60_000,
    max_entries: 20_000,
  });
  notifications.onGap(() => keys.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('domains ')) keys.clear();
  });
  const answers = new Counter({
    name: 'chasqui_dns_answers_total',
    help: 'Answers of the authoritative DNS server by response code.',
    labelNames: ['rcode'],
    registers: [registry],
  });
  return createAuthoritativeServer({
    zone: createPlatformZone({
      ...zone,
      findDkimPublicKey: async (selector, token) => await keys.get(`${selector} ${token ?? ''}`),
    }),
    onAnswer: (rcode) => answers.inc({ rcode }),
    onError: (error) => log.warn({ err: error }, 'a DNS query could not be answered'),
  });
}

/** For the zone file. */
export async function listDkimPublicKeys(
  db: Queryable,
  platform_domain: string,
): Promise<PublishedDkimKey[]> {
  return await db.query(
    `select k.selector, case when not i.is_platform then d.ownership_token end as token, k.public_key
     from dkim_keys k join domains d on d.id = k.domain_id join instances i on i.id = d.instance_id
     where case when i.is_platform then d.domain = $1 and d.deleted_at is null else ${isPublished} end
     order by token nulls first, k.selector`,
    [platform_domain],
  );
}
