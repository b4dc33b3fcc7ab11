import { setTimeout as delay } from 'node:timers/promises';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { Failure } from '../protocol/smtp-client/channel.ts';
import { Deadline } from '../protocol/deadline.ts';
import type { Session } from '../protocol/smtp-client/session.ts';
import type { Pace, ConnectionSlot } from './pace/pace.ts';
import { providerOf } from './pace/provider-key.ts';
import type { Target, TlsNeed } from './targets.ts';
import { SlotQueue } from './slot-queue.ts';

/** The destination is throttled; nothing was sent. */
export interface Paced {
  kind: 'paced';
  retry_after_seconds: number;
}

export interface PoolOptions {
  open: (target: Target, mode: TlsNeed | 'never') => Promise<Session | Failure>;
  pace: Pace;
  /** Messages per connection; some servers limit them. */
  max_messages: number;
  idle_ms: number;
  /** Wait for a connection while all connections to the destination are busy, and for a token of its rate. */
  max_wait_ms: number;
}

interface OpenSession {
  session: Session;
  slot: ConnectionSlot;
  /** Closes the session after `idle_ms`. */
  idle: Deadline;
}

/** Urgent requests get the next free connection. */
type WantedTarget = Target & { urgent?: boolean };

export interface SessionPool {
  /** Runs `work` on a session with the target, reusing an idle one; or returns why no session can be had. */
  use<T>(target: WantedTarget, work: (session: Session) => Promise<T>): Promise<T | Failure | Paced>;
  close(): Promise<void>;
}

const plaintextForMs = 3_600_000;
/** A token that is available sooner is waited for; otherwise the mail goes back to the queue. */
const maxTokenWaitMs = 2_000;

/** Connections to remote servers, within the limits of their provider, reused while idle. */
export function createSessionPool(options: PoolOptions): SessionPool {
  const { pace } = options;
  const idle = new Map<string, OpenSession[]>();
  const waiters = new SlotQueue();
  /** Addresses where STARTTLS failed. */
  const plaintext = new BoundedMap<string, true>({ max_entries: 10_000, ttl_ms: plaintextForMs });
  // Includes the host name: the certificate was verified against it, and limits are counted by it.
  const keyOf = ({ host, address, tls, source }: Target): string =>
    `${tls} ${host} ${address} ${source?.address ?? ''}`;

  function discard({ session, slot, idle: deadline }: OpenSession): void {
    deadline.end();
    slot.release();
    void session.quit();
    waiters.slotFree(slot.provider);
  }

  function takeIdle(key: string): OpenSession | undefined {
    const sessions = idle.get(key) ?? [];
    let open = sessions.pop();
    while (open && !open.session.reusable) {
      discard(open);
      open = sessions.pop();
    }
    open?.idle.lift();
    if (sessions.length === 0) idle.delete(key);
    return open;
  }

  /** Idle connections to other hosts of the provider may hold all its slots. */
  function closeIdleOf(provider: string): boolean {
    for (const [key, sessions] of idle) {
      const open = sessions.find(({ slot }) => slot.provider === provider);
      if (!open) continue;
      dismiss(open, key);
      return true;
    }
    return false;
  }

  async function connect(target: Target): Promise<Session | Failure> {
    if (target.tls !== 'opportunistic') return await options.open(target, target.tls);
    if (plaintext.has(target.address)) return await options.open(target, 'never');
    const opened = await options.open(target, 'opportunistic');
    // A timeout or a closed connection during STARTTLS counts as a TLS failure too.
    if (opened.kind === 'session' || opened.phase !== 'starttls' || opened.kind === 'aborted') return opened;
    // Opportunistic security: plaintext is better than no delivery (RFC 7435).
    plaintext.set(target.address, true);
    return await options.open(target, 'never');
  }

  async function obtain(target: WantedTarget, key: string): Promise<OpenSession | Failure | Paced> {
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
      if (permission.reason === 'provider_full' && closeIdleOf(providerOf(target.host))) continue;
      const left = until - performance.now();
      if (left <= 0) return { kind: 'paced', retry_after_seconds: Math.ceil(options.max_wait_ms / 1000) };
      const { urgent = false } = target;
      await waiters.wait({ provider: providerOf(target.host), key, urgent }, left);
    }
  }

  async function openWith(
    slot: ConnectionSlot,
    { target, key }: { target: Target; key: string },
  ): Promise<OpenSession | Failure> {
    const session = await connect(target);
    if (session.kind === 'session') {
      const open = { session, slot, idle: new Deadline(() => dismiss(open, key)) };
      return open;
    }
    slot.release();
    waiters.slotFree(slot.provider);
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
    waiters.sessionFree(open.slot.provider, key);
  }

  function dismiss(open: OpenSession, key: string): void {
    const sessions = (idle.get(key) ?? []).filter((other) => other !== open);
    if (sessions.length === 0) idle.delete(key);
    else idle.set(key, sessions);
    discard(open);
  }

  /** Bounded: at a low rate many mails ask for each token, and each has its lease for so long only. */
  async function waitForToken(host: string, first: number): Promise<Paced | undefined> {
    const until = performance.now() + options.max_wait_ms;
    for (let wait = first; wait > 0; wait = pace.takeMail(host)) {
      if (wait > maxTokenWaitMs || performance.now() + wait > until)
        return { kind: 'paced', retry_after_seconds: Math.ceil(wait / 1000) };
      await delay(wait);
    }
    return undefined;
  }

  return {
    async use(target, work) {
      const wait = pace.takeMail(target.host);
      const paced = wait > 0 ? await waitForToken(target.host, wait) : undefined;
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
