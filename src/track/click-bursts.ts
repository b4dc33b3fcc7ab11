import type { Engagement } from '../events/index.ts';

/** Nobody follows more different links of one mail within this time; whatever looks behind all of them does. */
const max_links = 2;
export const burst_ms = 1_000;

type Click = Pick<Engagement, 'mail_id' | 'url' | 'is_machine'>;

interface Burst {
  began: number;
  /** Different ones, in a list: there are three of them at most. */
  urls: (string | null)[];
  /** Until it is known what they are. */
  clicks: Click[];
}

/** Watches the clicks of the last second, mail by mail, and marks those of a burst as a machine's. */
export class ClickBursts {
  readonly #bursts = new Map<string, Burst>();
  #forgotten = -Infinity;

  /** `now` in milliseconds of a clock that only goes forward. */
  note(click: Click, now: number): void {
    this.#forget(now);
    const known = this.#bursts.get(click.mail_id);
    const burst = known && now - known.began < burst_ms ? known : this.#begin(click.mail_id, now);
    burst.clicks.push(click);
    if (burst.urls.length <= max_links && !burst.urls.includes(click.url)) burst.urls.push(click.url);
    if (burst.urls.length <= max_links) return;
    for (const each of burst.clicks) each.is_machine = true;
    burst.clicks = [];
  }

  #begin(mailId: string, now: number): Burst {
    const burst = { began: now, urls: [], clicks: [] };
    // Set anew, so that it stands at the end.
    this.#bursts.delete(mailId);
    this.#bursts.set(mailId, burst);
    return burst;
  }

  /** They are kept in the order in which they began, and looked through now and then. */
  #forget(now: number): void {
    if (now - this.#forgotten < burst_ms / 10) return;
    this.#forgotten = now;
    for (const [mailId, { began }] of this.#bursts) {
      if (now - began < burst_ms) return;
      this.#bursts.delete(mailId);
    }
  }
}
