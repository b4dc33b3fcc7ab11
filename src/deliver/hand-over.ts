import type { DueMail } from './load-batch.ts';

/** What is asked for before a mail is written down. */
export interface Wish {
  instance_id: number;
  destination: string;
  /** Transactional. */
  urgent: boolean;
  /** Of content, which stays in memory until the mail is delivered. */
  bytes: number;
}

/** A place among the mails under way, held for one that is about to be written down. */
export interface Place {
  /** It stands in the queue as if it had been claimed: what this process does not finish, another takes up. */
  lease: string;
  leased_until: Date;
  /** Once the mail is on disk. */
  take(mail: Omit<DueMail, 'attempt' | 'lease'>): void;
  /** The mail was not written. */
  giveUp(): void;
}

type Reserve = (wish: Wish) => Place | undefined;

/**
 * From accepting to delivering within one process. A mail for which there is room at once is written into the queue
 * under a lease and delivered from memory; put in line it would be claimed and read back a moment later, which took a
 * third of PostgreSQL's work on a mail. Closed while nobody delivers here.
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
  reserve(wish: Wish): Place | undefined {
    return this.#reserve?.(wish);
  }
}
