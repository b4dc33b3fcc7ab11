import type { Engagement } from '../events/record-engagement.ts';

/** Nobody follows more different links of one mail within this time; whatever looks behind all of them does. */
const most_links = 2;
export const burst_ms = 1_000;

interface Burst {
  began: number;
  urls: Set<string | null>;
  /** Until it is known what they are. */
  clicks: Engagement[];
  is_machine: boolean;
}

/** Watches the clicks of the last second, mail by mail, and marks those of a burst as a machine's. */
export class ClickBursts {
  readonly #bursts = new Map<string, Burst>();

  /** `now` in milliseconds of a clock that only goes forward. */
  note(click: Engagement, now: number): void {
    this.#forget(now);
    const burst = this.#bursts.get(click.mail_id) ?? this.#begin(click.mail_id, now);
    burst.urls.add(click.url);
    burst.clicks.push(click);
    burst.is_machine ||= burst.urls.size > most_links;
    if (!burst.is_machine) return;
    for (const each of burst.clicks) each.is_machine = true;
    burst.clicks = [];
  }

  #begin(mailId: string, now: number): Burst {
    const burst = { began: now, urls: new Set<string>(), clicks: [], is_machine: false };
    this.#bursts.set(mailId, burst);
    return burst;
  }

  /** They are kept in the order in which they began. */
  #forget(now: number): void {
    for (const [mailId, { began }] of this.#bursts) {
      if (now - began < burst_ms) return;
      this.#bursts.delete(mailId);
    }
  }
}
