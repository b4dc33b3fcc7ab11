import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { Trouble } from '../protocol/smtp-client/channel.ts';
import { Deadline } from '../protocol/deadline.ts';
import type { Session } from '../protocol/smtp-client/session.ts';
import type { Pace, Slot } from './pace/pace.ts';
import { providerOf } from './pace/provider-key.ts';
import type { Target, TlsNeed } from './targets.ts';
import { SlotQueue } from './slot-queue.ts';

/** The destination wants less at present; nothing was sent. */
export interface Paced {
  kind: 'paced';
  retry_after_seconds: number;
}

export interface PoolOptions {
  open: (target: Target, mode: TlsNeed | 'never') => Promise<Session | Trouble>;
  pace: Pace;
  clock: Clock;
  /** After this many messages a connection is closed: some servers count them against us. */
  max_messages: number;
  idle_ms: number;
  /** How long a mail waits for a connection when all that its destination may have are busy. */
  max_wait_ms: number;
}

interface OpenSession {
  session: Session;
  slot: Slot;
  /** Ends it when it has been idle for long enough. */
  idle: Deadline;
}

/** Where all connections are busy, what is urgent gets the next one. */
type WantedTarget = Target & { urgent?: boolean };

export interface SessionPool {
  /** Runs `work` on a session with the target, reused when one is free; or tells why there is none. */
  use<T>(target: WantedTarget, work: (session: Session) => Promise<T>): Promise<T | Trouble | Paced>;
  close(): Promise<void>;
}

const plain_for_ms = 3_600_000;
/** A turn that comes sooner than this is waited for; a later one is the queue's business. */
const max_turn_ms = 2_000;

/** Connections to remote servers, as many as their pace allows, kept for a while after a message. */
export function createSessionPool(options: PoolOptions): SessionPool {
  const { pace, clock } = options;
  const idle = new Map<string, OpenSession[]>();
  const line = new SlotQueue();
  /** Addresses where TLS failed and is not tried again for a while. */
  const plain = new BoundedMap<string, true>({
    max_entries: 10_000,
    ttl_ms: plain_for_ms,
    now: () => clock.now().getTime(),
  });
  // The name belongs to it: a certificate was checked against that one, and limits are counted by it.
  const keyOf = ({ host, address, tls, source }: Target): string =>
    `${tls} ${host} ${address} ${source?.address ?? ''}`;

  function discard({ session, slot, idle: deadline }: OpenSession): void {
    deadline.end();
    slot.release();
    void session.quit();
    line.placeFree(slot.provider);
  }

  function takeIdle(key: string): OpenSession | undefined {
    const sessions = idle.get(key) ?? [];
    for (let open = sessions.pop(); open; open = sessions.pop()) {
      open.idle.lift();
      if (open.session.reusable) return open;
      discard(open);
    }
    idle.delete(key);
    return undefined;
  }

  /** A provider's other hosts may hold all its places with connections that wait for nothing in particular. */
  function endIdleOf(provider: string): boolean {
    for (const sessions of idle.values()) {
      const at = sessions.findIndex(({ slot }) => slot.provider === provider);
      const [open] = at === -1 ? [] : sessions.splice(at, 1);
      if (!open) continue;
      discard(open);
      return true;
    }
    return false;
  }

  async function connect(target: Target): Promise<Session | Trouble> {
    if (target.tls !== 'opportunistic') return await options.open(target, target.tls);
    if (plain.has(target.address)) return await options.open(target, 'never');
    const opened = await options.open(target, 'opportunistic');
    // A server that hangs or hangs up over STARTTLS is as broken as one that says so.
    if (opened.kind === 'session' || opened.phase !== 'starttls' || opened.kind === 'aborted') return opened;
    // Mail in the clear beats mail that does not arrive (RFC 7435).
    plain.set(target.address, true);
    return await options.open(target, 'never');
  }

  async function obtain(target: WantedTarget, key: string): Promise<OpenSession | Trouble | Paced> {
    const until = performance.now() + options.max_wait_ms;
    for (;;) {
      const free = takeIdle(key);
      if (free) return free;
      const permission = pace.mayOpen(target.host);
      if (permission.may) {
        const slot = pace.acquire(target.host);
        if (slot) return await openWith(slot, { target, key });
        continue;
      }
      if (permission.reason === 'cooling_down') {
        return { kind: 'paced', retry_after_seconds: Math.ceil(permission.retry_after_ms / 1000) };
      }
      if (permission.reason === 'provider_full' && endIdleOf(providerOf(target.host))) continue;
      const left = until - performance.now();
      if (left <= 0) return { kind: 'paced', retry_after_seconds: Math.ceil(options.max_wait_ms / 1000) };
      const { urgent = false } = target;
      await line.wait({ provider: providerOf(target.host), key, urgent }, left);
    }
  }

  async function openWith(
    slot: Slot,
    { target, key }: { target: Target; key: string },
  ): Promise<OpenSession | Trouble> {
    const session = await connect(target);
    if (session.kind === 'session') {
      const open = { session, slot, idle: new Deadline(() => dismiss(open, key)) };
      return open;
    }
    slot.release();
    line.placeFree(slot.provider);
    return session;
  }

  function keep(key: string, open: OpenSession): void {
    if (!open.session.reusable || open.session.transactions >= options.max_messages) {
      discard(open);
      return;
    }
    const sessions = idle.get(key);
    if (sessions) sessions.push(open);
    else idle.set(key, [open]);
    open.idle.set(options.idle_ms);
    line.sessionFree(open.slot.provider, key);
  }

  function dismiss(open: OpenSession, key: string): void {
    const sessions = (idle.get(key) ?? []).filter((other) => other !== open);
    if (sessions.length === 0) idle.delete(key);
    else idle.set(key, sessions);
    discard(open);
  }

  async function turn(host: string, first: number): Promise<Paced | undefined> {
    for (let wait = first; wait > 0; wait = pace.takeMail(host)) {
      if (wait > max_turn_ms) return { kind: 'paced', retry_after_seconds: Math.ceil(wait / 1000) };
      await delay(wait);
    }
    return undefined;
  }

  return {
    async use(target, work) {
      const wait = pace.takeMail(target.host);
      const paced = wait > 0 ? await turn(target.host, wait) : undefined;
      if (paced) return paced;
      const key = keyOf(target);
      const open = takeIdle(key) ?? (await obtain(target, key));
      if (!('session' in open)) return open;
      try {
        return await work(open.session);
      } finally {
        keep(key, open);
      }
    },
    async close() {
      const sessions = [...idle.values()].flatMap((each) => each.splice(0));
      for (const { idle: deadline } of sessions) deadline.end();
      await Promise.all(sessions.map(async ({ session }) => await session.quit()));
    },
  };
}
