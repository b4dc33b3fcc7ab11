import { networkOf, sourceOf } from '../address/source-network.ts';
import { Counts } from '../counts.ts';

export interface CapLimits {
  max_connections: number;
  /** From one IPv4 address or one IPv6 /64. */
  max_connections_per_source: number;
  /** Connections that have not authenticated. */
  max_unauthenticated: number;
  max_unauthenticated_per_source: number;
}

export type CapRefusal = 'too_many' | 'too_many_from_source' | 'too_many_unauthenticated_from_source';

/** The slot of one connection. */
export interface Seat {
  /** Moves it to the limit for authenticated connections. */
  authenticated(): void;
  leave(): void;
}

export interface ConnectionCaps {
  /** `evict` closes the connection when its slot is given to another one before it has authenticated. */
  admit(address: string, evict: () => void): Seat | CapRefusal;
  readonly authenticated: number;
  readonly unauthenticated: number;
}

interface Guest {
  network: string;
  evict: () => void;
}

/**
 * A connection that still has to authenticate takes one of the unauthenticated places. When these are full, the oldest
 * connection from the network that has most of them makes room: a flood pushes out its own, and does not close the
 * port to others.
 */
export function createConnectionCaps(limits: CapLimits): ConnectionCaps {
  const all = new Counts<string>();
  const waiting = new Counts<string>();
  /** By network; a Set keeps the order of arrival. */
  const guests = new Map<string, Set<Guest>>();

  function refusalOf(source: string): CapRefusal | undefined {
    if (all.of(source) >= limits.max_connections_per_source) return 'too_many_from_source';
    if (waiting.of(source) >= limits.max_unauthenticated_per_source) {
      return 'too_many_unauthenticated_from_source';
    }
    if (all.total >= limits.max_connections && waiting.total === 0) return 'too_many';
    return undefined;
  }

  function makeRoom(): void {
    let most: Set<Guest> | undefined;
    for (const each of guests.values()) if (each.size > (most?.size ?? 0)) most = each;
    const [oldest] = most ?? [];
    oldest?.evict();
  }

  function seat(source: string, guest: Guest): Seat {
    let [isGuest, isSeated] = [true, true];
    const stopWaiting = (): void => {
      if (!isGuest) return;
      isGuest = false;
      waiting.remove(source);
      remove(guests, guest);
    };
    return {
      authenticated() {
        stopWaiting();
      },
      leave() {
        stopWaiting();
        if (isSeated) all.remove(source);
        isSeated = false;
      },
    };
  }

  return {
    admit(address, evict) {
      const [source, network] = [sourceOf(address), networkOf(address)];
      const refusal = refusalOf(source);
      if (refusal !== undefined) return refusal;
      if (waiting.total >= limits.max_unauthenticated || all.total >= limits.max_connections) makeRoom();
      const guest: Guest = { network, evict: () => {} };
      const taken = seat(source, guest);
      // The slot is free at once, however long the client takes to close.
      guest.evict = () => {
        taken.leave();
        evict();
      };
      all.add(source);
      waiting.add(source);
      guests.set(network, (guests.get(network) ?? new Set()).add(guest));
      return taken;
    },
    get authenticated() {
      return all.total - waiting.total;
    },
    get unauthenticated() {
      return waiting.total;
    },
  };
}

function remove(guests: Map<string, Set<Guest>>, guest: Guest): void {
  const near = guests.get(guest.network);
  near?.delete(guest);
  if (near?.size === 0) guests.delete(guest.network);
}
