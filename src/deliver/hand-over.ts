import type { Clock } from '../base/clock.ts';
import type { PausedLanes } from '../queue/index.ts';
import type { Backlog } from './backlog.ts';
import type { DueMail } from './load-batch.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';

/** What is asked for before a mail is stored. */
export interface PlaceRequest {
  instance_id: number;
  destination: string;
  /** Transactional. */
  urgent: boolean;
  /** Of content, which stays in memory until the mail is delivered. */
  bytes: number;
}

/** A place among the mails under way, held for one that is about to be stored. */
export interface Place {
  /** It is stored in the queue as claimed: what this process does not finish, another takes up. */
  lease: string;
  leased_until: Date;
  /** Once the mail is on disk. */
  take(mail: Omit<DueMail, 'attempt' | 'lease' | 'leased_at'>): void;
  /** The mail was not stored. */
  giveUp(): void;
}

type Reserve = (request: PlaceRequest) => Place | undefined;

/**
 * From accepting to delivering within one process. A mail for which there is room at once is stored under a lease and
 * delivered from memory; in line it would be claimed and read back at once, which took a third of PostgreSQL's work on a
 * mail. Closed while this process does not deliver.
 */
export class HandOver {
  #reserve: Reserve | undefined;

  open(reserve: Reserve): void {
    this.#reserve = reserve;
  }

  close(): void {
    this.#reserve = undefined;
  }

  /** Undefined when the mail has to wait for its turn in the queue. */
  reserve(request: PlaceRequest): Place | undefined {
    return this.#reserve?.(request);
  }
}

interface PlacesOptions {
  clock: Clock;
  room: ConcurrencyLimits;
  backlog: Backlog;
  paused: PausedLanes;
  lease_seconds: number;
  newLease: () => string;
  /** False while outcomes wait for the database: then nothing more is begun. */
  isOpen: () => boolean;
  start: (mail: DueMail, leave: () => void) => void;
}

/** Content of mails that were handed over, which is not in the database alone. */
const max_bytes = 32 * 1024 * 1024;
const drain_every_ms = 5;

/** Gives out places. */
export class Places {
  readonly #options: PlacesOptions;
  #bytes = 0;
  #reserved = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Only where nothing waits that would be overtaken: as soon as a destination has more mail than it may have under way,
   * all of it goes through the queue, where every instance gets its turn.
   */
  reserve(request: PlaceRequest): Place | undefined {
    const { clock, room, backlog, paused, lease_seconds } = this.#options;
    const { instance_id, destination, urgent, bytes } = request;
    if (paused.has(instance_id, destination)) return undefined;
    const now = clock.now().getTime();
    const fits = this.#options.isOpen() && this.#bytes + bytes <= max_bytes;
    if (backlog.has(destination) || !fits || !room.mayEnter(destination, urgent, now)) {
      backlog.add(destination);
      return undefined;
    }
    const leave = this.#enter(request);
    const lease = this.#options.newLease();
    const leased_at = performance.now();
    return {
      lease,
      leased_until: new Date(now + lease_seconds * 1000),
      take: (mail) => {
        this.#reserved -= 1;
        this.#options.start({ ...mail, attempt: 1, lease, leased_at }, leave);
      },
      giveUp: () => {
        this.#reserved -= 1;
        leave();
      },
    };
  }

  /** Waits for the commits that places are held for. */
  async drain(): Promise<void> {
    while (this.#reserved > 0) await new Promise((resolve) => void setTimeout(resolve, drain_every_ms));
  }

  #enter({ destination, urgent, bytes }: PlaceRequest): () => void {
    this.#bytes += bytes;
    this.#reserved += 1;
    const leave = this.#options.room.enter(destination, urgent);
    return () => {
      this.#bytes -= bytes;
      leave();
    };
  }
}
