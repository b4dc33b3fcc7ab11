import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Trouble } from '../protocol/smtp-client/channel.ts';
import type { Session } from '../protocol/smtp-client/session.ts';
import type { Pace, Slot } from './pace/pace.ts';

/** How a connection has to be secured: if it can be, or with a certificate of the host's name (MTA-STS). */
export type TlsNeed = 'opportunistic' | 'verified';

export interface Target {
  host: string;
  address: string;
  tls: TlsNeed;
}

/** The destination wants less at present; nothing was sent. */
export interface Paced {
  kind: 'paced';
  retry_after_seconds: number;
}

interface PoolOptions {
  open: (target: Target, mode: TlsNeed | 'never') => Promise<Session | Trouble>;
  pace: Pace;
  clock: Clock;
  /** After this many messages a connection is closed: some servers count them against us. */
  max_messages: number;
  idle_ms: number;
}

interface OpenSession {
  session: Session;
  slot: Slot;
}

export interface SessionPool {
  /** Runs `work` on a session with the target, reused when one is free; or tells why there is none. */
  use<T>(target: Target, work: (session: Session) => Promise<T>): Promise<T | Trouble | Paced>;
  close(): Promise<void>;
}

const plain_for_ms = 3_600_000;
/** A wait shorter than this is waited for; a longer one is the queue's business. */
const longest_wait_ms = 2_000;

/** Connections to remote servers, as many as their pace allows, kept for a while after a message. */
export function createSessionPool(options: PoolOptions): SessionPool {
  const { pace, clock } = options;
  const idle = new Map<string, OpenSession[]>();
  const waiting: (() => void)[] = [];
  /** Addresses where TLS failed, and until when it is not tried there again. */
  const plain = new Map<string, number>();
  const keyOf = ({ address, tls }: Target): string => `${tls} ${address}`;

  function wakeAll(): void {
    for (const wake of waiting.splice(0)) wake();
  }

  function discard({ session, slot }: OpenSession): void {
    slot.release();
    void session.quit();
    wakeAll();
  }

  function takeIdle(key: string): OpenSession | undefined {
    const sessions = idle.get(key) ?? [];
    for (let open = sessions.pop(); open; open = sessions.pop()) {
      if (open.session.reusable) return open;
      discard(open);
    }
    return undefined;
  }

  async function connect(target: Target): Promise<Session | Trouble> {
    const now = clock.now().getTime();
    if (target.tls === 'verified') return await options.open(target, 'verified');
    if ((plain.get(target.address) ?? 0) > now) return await options.open(target, 'never');
    const opened = await options.open(target, 'opportunistic');
    if (opened.kind !== 'tls') return opened;
    // Mail in the clear beats mail that does not arrive (RFC 7435).
    if (plain.size > 10_000) plain.clear();
    plain.set(target.address, now + plain_for_ms);
    return await options.open(target, 'never');
  }

  async function obtain(target: Target): Promise<OpenSession | Trouble | Paced> {
    for (;;) {
      const free = takeIdle(keyOf(target));
      if (free) return free;
      const permission = pace.mayOpen(target.host);
      if (permission.may) {
        const slot = pace.acquire(target.host);
        if (!slot) continue;
        const session = await connect(target);
        if (session.kind === 'session') return { session, slot };
        slot.release();
        wakeAll();
        return session;
      }
      if (permission.reason === 'cooling_down') {
        return { kind: 'paced', retry_after_seconds: Math.ceil(permission.retry_after_ms / 1000) };
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  function keep(target: Target, open: OpenSession): void {
    if (!open.session.reusable || open.session.transactions >= options.max_messages) {
      discard(open);
      return;
    }
    const key = keyOf(target);
    const sessions = idle.get(key) ?? [];
    idle.set(key, sessions);
    sessions.push(open);
    wakeAll();
    const timer = setTimeout(() => {
      const at = sessions.indexOf(open);
      if (at === -1) return;
      sessions.splice(at, 1);
      if (sessions.length === 0 && idle.get(key) === sessions) idle.delete(key);
      discard(open);
    }, options.idle_ms);
    timer.unref();
  }

  async function turn(host: string): Promise<Paced | undefined> {
    for (let wait = pace.takeMail(host); wait > 0; wait = pace.takeMail(host)) {
      if (wait > longest_wait_ms) return { kind: 'paced', retry_after_seconds: Math.ceil(wait / 1000) };
      await delay(wait);
    }
    return undefined;
  }

  return {
    async use(target, work) {
      const paced = await turn(target.host);
      if (paced) return paced;
      const open = await obtain(target);
      if (!('session' in open)) return open;
      try {
        return await work(open.session);
      } finally {
        keep(target, open);
      }
    },
    async close() {
      const sessions = [...idle.values()].flatMap((each) => each.splice(0));
      await Promise.all(sessions.map(async ({ session }) => await session.quit()));
    },
  };
}
