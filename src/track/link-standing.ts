import type { Queryable } from '../base/db/database.ts';
import { createCache } from '../base/db/cache.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { createOutageLog } from '../base/engine/outage-log.ts';
import type { Log } from '../base/log.ts';
import { linkHostOf, listTakenDownHosts } from '../domains/index.ts';
import type { TrackedVisit } from './tracking-token.ts';

/** Whether a link leads on by itself. */
export type Standing = 'good' | 'instance_disabled' | 'host_taken_down';

export type FollowedLink = TrackedVisit & { url: string };

interface LinkStandingOptions {
  db: Queryable;
  notifications: Notifications;
  log: Log;
}

interface Known {
  hosts: ReadonlySet<string>;
  disabled_instances: ReadonlySet<number>;
}

/** How old may be what a click is answered by, when a notification was lost. */
const staleAfterMs = 5_000;
/** For links of earlier versions, whose instance has to be looked up. */
const lookUpWithinMs = 1_000;

/**
 * Which links must not lead on by themselves: those of disabled instances, and those to hosts that an operator took down.
 * All of both is kept in memory and replaced when it changes, so that a click asks the database nothing, and what held
 * before the database went down holds until it is back.
 */
export class LinkStanding {
  readonly #db: Queryable;
  readonly #outage: ReturnType<typeof createOutageLog>;
  #known: Known = { hosts: new Set(), disabled_instances: new Set() };
  /** Undefined until the first load: only who answers clicks keeps it. */
  #loaded_at: number | undefined;
  #loading: Promise<void> | undefined;
  #isChanged = false;
  readonly #instances = createCache<string, number | undefined>({
    load: async (mail_id) => await this.#findInstance(mail_id),
    ttl_ms: 3_600_000,
    max_entries: 10_000,
  });

  constructor({ db, notifications, log }: LinkStandingOptions) {
    this.#db = db;
    this.#outage = createOutageLog(log, 'reading which links show a warning');
    notifications.onGap(() => this.#changed());
    notifications.on('chasqui_changed', (payload) => {
      const [table] = payload.split(' ');
      if (table === 'instances' || table === 'link_takedowns') this.#changed();
    });
  }

  /** Before the first click is answered. */
  async load(): Promise<void> {
    const [hosts, rows] = await Promise.all([
      listTakenDownHosts(this.#db),
      this.#db.query<{ id: number }>('select id from instances where not is_enabled'),
    ]);
    this.#known = { hosts: new Set(hosts), disabled_instances: new Set(rows.map(({ id }) => id)) };
    this.#loaded_at = performance.now();
  }

  /** Undefined for a link of an earlier version while any instance is disabled: ask `of`. */
  now({ instance_id, url }: FollowedLink): Standing | undefined {
    if (this.#loaded_at !== undefined && performance.now() - this.#loaded_at > staleAfterMs) this.#reload();
    const { disabled_instances } = this.#known;
    if (this.isTakenDown(url)) return 'host_taken_down';
    if (disabled_instances.size === 0) return 'good';
    return instance_id === null ? undefined : this.#standingOf(instance_id);
  }

  /** Whether a web address leads to a host that was taken down. */
  isTakenDown(url: string): boolean {
    const { hosts } = this.#known;
    return hosts.size > 0 && isAtOrBelowOne(linkHostOf(url), hosts);
  }

  /** A link whose mail is gone, or cannot be looked up in time, leads on. */
  async of(link: FollowedLink): Promise<Standing> {
    const now = this.now(link);
    if (now !== undefined) return now;
    const { promise: expiry, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, lookUpWithinMs, undefined);
    const found = this.#instances.get(link.mail_id).catch(() => undefined);
    const instanceId = await Promise.race([found, expiry]);
    clearTimeout(timer);
    return instanceId === undefined ? 'good' : this.#standingOf(instanceId);
  }

  #standingOf(instanceId: number): Standing {
    return this.#known.disabled_instances.has(instanceId) ? 'instance_disabled' : 'good';
  }

  async #findInstance(mailId: string): Promise<number | undefined> {
    const sql = 'select instance_id from mails where mail_id = $1';
    const [row] = await this.#db.query<{ instance_id: number }>(sql, [mailId]);
    return row?.instance_id;
  }

  #changed(): void {
    if (this.#loaded_at === undefined) return;
    // What a load under way has read may be of before the change.
    if (this.#loading) this.#isChanged = true;
    else this.#reload();
  }

  /** One at a time; after a failure the next click tries again. */
  #reload(): void {
    this.#loading ??= this.load()
      .then(this.#outage.worked, (error: unknown) => {
        this.#loaded_at = performance.now();
        this.#outage.failed(error);
      })
      .finally(() => {
        this.#loading = undefined;
        const isChanged = this.#isChanged;
        this.#isChanged = false;
        if (isChanged) this.#reload();
      });
  }
}

function isAtOrBelowOne(host: string, zones: ReadonlySet<string>): boolean {
  for (let name = host; ;) {
    if (zones.has(name)) return true;
    const dot = name.indexOf('.');
    if (dot === -1) return false;
    name = name.slice(dot + 1);
  }
}
