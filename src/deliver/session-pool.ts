import type { Clock } from '../base/clock.ts';
import type { Trouble } from '../protocol/smtp-client/channel.ts';
import type { Session } from '../protocol/smtp-client/session.ts';

interface PoolOptions {
  open: (target: Target, tls: 'opportunistic' | 'never') => Promise<Session | Trouble>;
  clock: Clock;
  max_per_address: number;
  /** After this many messages a connection is closed: some servers count them against us. */
  max_messages: number;
  idle_ms: number;
}

export interface Target {
  /** Name of the host, for TLS. */
  host: string;
  address: string;
}

interface Place {
  idle: Session[];
  active: number;
  waiting: (() => void)[];
  /** TLS failed here; until then it is not tried again. */
  plain_until: number;
}

const plain_for_ms = 3_600_000;

export interface SessionPool {
  /** Runs `work` on a session with the target, reused when one is free; or tells why there is none. */
  use<T>(target: Target, work: (session: Session) => Promise<T>): Promise<T | Trouble>;
  close(): Promise<void>;
}

/** Connections to remote servers, kept for a while after a message, and limited per address. */
export function createSessionPool(options: PoolOptions): SessionPool {
  const places = new Map<string, Place>();

  function placeOf({ address }: Target): Place {
    const known = places.get(address);
    if (known) return known;
    const fresh: Place = { idle: [], active: 0, waiting: [], plain_until: 0 };
    places.set(address, fresh);
    return fresh;
  }

  async function enter(place: Place): Promise<void> {
    if (place.active >= options.max_per_address)
      await new Promise<void>((resolve) => place.waiting.push(resolve));
    place.active += 1;
  }

  function leave(address: string, place: Place): void {
    place.active -= 1;
    place.waiting.shift()?.();
    if (place.active === 0 && place.idle.length === 0 && place.plain_until === 0) places.delete(address);
  }

  async function obtain(target: Target, place: Place): Promise<Session | Trouble> {
    for (let session = place.idle.pop(); session; session = place.idle.pop())
      if (session.reusable) return session;
    const now = options.clock.now().getTime();
    if (place.plain_until > now) return await options.open(target, 'never');
    const opened = await options.open(target, 'opportunistic');
    if (opened.kind !== 'tls') return opened;
    // Mail in the clear beats mail that does not arrive (RFC 7435); where policy asks for TLS, it is asked for elsewhere.
    place.plain_until = now + plain_for_ms;
    return await options.open(target, 'never');
  }

  function keep(place: Place, session: Session): void {
    if (!session.reusable || session.transactions >= options.max_messages) {
      void session.quit();
      return;
    }
    place.idle.push(session);
    const timer = setTimeout(() => {
      const at = place.idle.indexOf(session);
      if (at === -1) return;
      place.idle.splice(at, 1);
      void session.quit();
    }, options.idle_ms);
    timer.unref();
  }

  return {
    async use(target, work) {
      const place = placeOf(target);
      await enter(place);
      try {
        const session = await obtain(target, place);
        if (session.kind !== 'session') return session;
        const result = await work(session);
        keep(place, session);
        return result;
      } finally {
        leave(target.address, place);
      }
    },
    async close() {
      const idle = [...places.values()].flatMap((place) => place.idle.splice(0));
      await Promise.all(idle.map(async (session) => await session.quit()));
    },
  };
}
