import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { findLostAccess, type UsedAccess } from '../../accounts/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { Notifications } from '../../base/db/notifications.ts';
import { createLoop, type Loop } from '../../base/engine/loop.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { Log } from '../../base/log.ts';
import { LiveChannel } from './live-channel.ts';
import { unwatchAll, unwatchOthers, watchInstances } from './live-watches.ts';
import { PendingAnnouncements, type Announcement } from './pending-announcements.ts';
import { readLiveEvents } from './read-live-events.ts';

interface LiveOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}

const maxStreams = 1_000;
const maxStreamsOfUser = 6;
/** Between two rounds, so that a busy time is read in batches. */
const minWaitMs = 100;
const accessCheckMs = 5_000;
const heartbeatMs = 15_000;
/** Well within the time a watch lasts. */
const renewalMs = 30_000;
/** How long a channel stays after its last stream, for those that come back. */
const channelRestMs = 60_000;

/**
 * New events of instances for their viewers. The database announces what was committed; one loop reads it once for
 * all streams of the process, and asks once for all of them whether who looks still may.
 */
export class LiveFeed {
  readonly #options: LiveOptions;
  readonly #watcher = randomUUID();
  readonly #channels = new Map<number, LiveChannel>();
  readonly #streams = new Map<Readable, UsedAccess>();
  readonly #pending = new PendingAnnouncements();
  readonly #loop: Loop;
  readonly #last = { access: 0, heartbeat: 0, renewal: 0 };
  #isStopped = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { notifications, log } = options;
    this.#loop = createLoop({
      name: 'reading events for the panel',
      log,
      step: async () => await this.#step(),
    });
    notifications.on('chasqui_live', (payload) => this.#announce(JSON.parse(payload) as Announcement));
    notifications.onGap(() => {
      for (const channel of this.#channels.values()) channel.reset();
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Gives a stream of server-sent events; `lastId` is that of the last one the client has. */
  async open(access: UsedAccess, lastId: string | undefined): Promise<Readable> {
    const own = [...this.#streams.values()].filter(({ user_id }) => user_id === access.user_id);
    if (this.#isStopped || this.#streams.size >= maxStreams || own.length >= maxStreamsOfUser) {
      throw new Problem('rate_limit_exceeded', {
        detail: `At most ${maxStreamsOfUser} live views of a user are open at a time.`,
        retry_after_seconds: 5,
      });
    }
    const { instance_id } = access;
    const known = this.#channels.get(instance_id);
    if (!known) await watchInstances(this.#options.db, this.#watcher, [instance_id]);
    // Another request may have opened it meanwhile.
    const channel = this.#channels.get(instance_id) ?? new LiveChannel();
    this.#channels.set(instance_id, channel);
    const stream = channel.open(lastId);
    this.#streams.set(stream, access);
    stream.once('close', () => this.#streams.delete(stream));
    this.#loop.wake();
    return stream;
  }

  /** Ends all streams, so that closing the listener does not wait for them. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const [stream, access] of this.#streams) this.#end(stream, access);
    await this.#loop.stop();
    if (this.#channels.size > 0) await unwatchAll(this.#options.db, this.#watcher).catch(() => undefined);
  }

  #announce(announcement: Announcement): void {
    if (!this.#channels.has(announcement.instance_id)) return;
    this.#pending.add(announcement);
    this.#loop.wake();
  }

  async #step(): Promise<number> {
    await this.#tellNew();
    if (this.#channels.size === 0) return renewalMs;
    await this.#every('access', accessCheckMs, async () => await this.#endLostAccess());
    await this.#every('renewal', renewalMs, async () => await this.#renew());
    await this.#every('heartbeat', heartbeatMs, async () => {
      for (const channel of this.#channels.values()) channel.heartbeat();
    });
    await delay(minWaitMs);
    return accessCheckMs;
  }

  async #every(
    name: 'access' | 'heartbeat' | 'renewal',
    ms: number,
    work: () => Promise<void>,
  ): Promise<void> {
    if (performance.now() - this.#last[name] < ms) return;
    await work();
    this.#last[name] = performance.now();
  }

  async #tellNew(): Promise<void> {
    const taken = this.#pending.take();
    if (!taken) return;
    const events = await readLiveEvents(this.#options.db, taken).catch((error: unknown) => {
      for (const id of taken.unnamed.keys()) this.#channels.get(id)?.reset();
      throw error;
    });
    for (const { instance_id, event } of events) this.#channels.get(instance_id)?.publish(event);
    for (const [id, count] of taken.unnamed) if (count > 0) this.#channels.get(id)?.publishCount(count);
  }

  async #endLostAccess(): Promise<void> {
    const streams = [...this.#streams];
    if (streams.length === 0) return;
    const lost = await findLostAccess(
      this.#options.db,
      streams.map(([, access]) => access),
      this.#options.clock.now(),
    );
    for (const index of lost) {
      const [stream, access] = streams[index] ?? [];
      if (stream && access) this.#end(stream, access);
    }
  }

  #end(stream: Readable, { instance_id }: UsedAccess): void {
    this.#channels.get(instance_id)?.end(stream);
  }

  async #renew(): Promise<void> {
    for (const [id, { idle_since }] of this.#channels) {
      if (idle_since !== undefined && performance.now() - idle_since > channelRestMs)
        this.#channels.delete(id);
    }
    const watched = [...this.#channels.keys()];
    await watchInstances(this.#options.db, this.#watcher, watched);
    await unwatchOthers(this.#options.db, this.#watcher, watched);
  }
}
