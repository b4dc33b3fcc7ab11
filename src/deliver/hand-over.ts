import type { Clock } from '../base/clock.ts';
import type { PausedDestinations } from '../queue/index.ts';
import type { Backlog } from './backlog.ts';
import type { DueMail } from './load-batch.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';

/** Describes a mail before it is stored. */
export interface DeliverySlotRequest {
  instance_id: number;
  destination: string;
  /** When it was decided that the recipient may be written to. */
  received_at: Date;
  /** Transactional. */
  urgent: boolean;
  /** Size of the content, which stays in memory until the mail is delivered. */
  bytes: number;
}

/**
 * Longer than a busy node takes from the decision to the attempt. A mail that waited longer, as for a database that was out of
 * reach, is claimed from the queue, where restrictions, unsubscribes and blockings are looked up again.
 */
const maxDecisionAgeMs = 1_000;

/** Whether what was decided about the recipient at this time needs no second look. A clock may have been set back. */
export function isFresh(decided_at: Date, now: Date): boolean {
  const age = now.getTime() - decided_at.getTime();
  return age >= 0 && age <= maxDecisionAgeMs;
}

/** A concurrency slot reserved for a mail that is about to be stored. */
export interface DeliverySlot {
  /** The queue row is written with this lease, so that another node takes the mail over if this process dies. */
  lease: string;
  leased_until: Date;
  /** Starts the attempt. Call it once the mail is committed. */
  start(mail: Omit<DueMail, 'attempt' | 'lease' | 'leased_at'>): void;
  /** Call it when the mail was not stored. */
  release(): void;
}

type Reserve = (request: DeliverySlotRequest) => DeliverySlot | undefined;

/**
 * Connects `accept/` to delivery within one process. A mail that gets a slot is stored under a lease and delivered from
 * memory, which saves claiming it and reading it back: a third of PostgreSQL's work per mail. Closed while this process
 * does not deliver.
 */
export class HandOver {
  #reserve: Reserve | undefined;

  open(reserve: Reserve): void {
    this.#reserve = reserve;
  }

  close(): void {
    this.#reserve = undefined;
  }

  /** Undefined when the mail has to go through the queue. */
  reserve(request: DeliverySlotRequest): DeliverySlot | undefined {
    return this.#reserve?.(request);
  }
}

interface DeliverySlotsOptions {
  clock: Clock;
  limits: ConcurrencyLimits;
  backlog: Backlog;
  paused: PausedDestinations;
  lease_seconds: number;
  newLease: () => string;
  /** False while too many outcomes wait to be recorded. */
  isOpen: () => boolean;
  start: (mail: DueMail, releaseSlot: () => void) => void;
}

/** Content of all mails that were handed over. */
const max_bytes = 32 * 1024 * 1024;
const drainPollMs = 5;

export class DeliverySlots {
  readonly #options: DeliverySlotsOptions;
  #bytes = 0;
  #reserved = 0;

  constructor(options: DeliverySlotsOptions) {
    this.#options = options;
  }

  /**
   * Refused where the mail would overtake others: once a destination is at its limit, all of its mail goes through the
   * queue, which is fair between instances.
   */
  reserve(request: DeliverySlotRequest): DeliverySlot | undefined {
    const { clock, limits, backlog, paused, lease_seconds } = this.#options;
    const { instance_id, destination, received_at, urgent, bytes } = request;
    if (paused.has(instance_id, destination) || !isFresh(received_at, clock.now())) return undefined;
    const fits = this.#options.isOpen() && this.#bytes + bytes <= max_bytes;
    if (backlog.has(destination) || !fits || !limits.canAcquire(destination, urgent, performance.now())) {
      backlog.add(destination);
      return undefined;
    }
    const releaseSlot = this.#acquire(request);
    const lease = this.#options.newLease();
    const leased_at = performance.now();
    return {
      lease,
      leased_until: new Date(clock.now().getTime() + lease_seconds * 1000),
      start: (mail) => {
        this.#reserved -= 1;
        this.#options.start({ ...mail, attempt: 1, lease, leased_at }, releaseSlot);
      },
      release: () => {
        this.#reserved -= 1;
        releaseSlot();
      },
    };
  }

  /** Waits for the commits that slots are reserved for. */
  async drain(): Promise<void> {
    while (this.#reserved > 0) await new Promise((resolve) => void setTimeout(resolve, drainPollMs));
  }

  #acquire({ destination, urgent, bytes }: DeliverySlotRequest): () => void {
    this.#bytes += bytes;
    this.#reserved += 1;
    const release = this.#options.limits.acquire(destination, urgent);
    return () => {
      this.#bytes -= bytes;
      release();
    };
  }
}
