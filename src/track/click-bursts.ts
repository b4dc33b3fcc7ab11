import type { Engagement } from '../events/index.ts';

/** People do not follow more different links of one mail within this time; scanners follow all. */
const maxLinks = 2;
export const burstMs = 1_000;

type Click = Pick<Engagement, 'mail_id' | 'url' | 'is_machine'>;

interface Burst {
  started_at: number;
  /** Distinct URLs, at most three. */
  urls: (string | null)[];
  /** Held until they are classified. */
  clicks: Click[];
}

/** Classifies clicks of the last second per mail: those of a burst are a machine's. */
export class ClickBursts {
  readonly #bursts = new Map<string, Burst>();
  #expired_at = -Infinity;

  /** `now` in milliseconds of a monotonic clock. */
  add(click: Click, now: number): void {
    this.#expire(now);
    const known = this.#bursts.get(click.mail_id);
    const burst = known && now - known.started_at < burstMs ? known : this.#start(click.mail_id, now);
    burst.clicks.push(click);
    if (burst.urls.length <= maxLinks && !burst.urls.includes(click.url)) burst.urls.push(click.url);
    if (burst.urls.length <= maxLinks) return;
    for (const each of burst.clicks) each.is_machine = true;
    burst.clicks = [];
  }

  #start(mailId: string, now: number): Burst {
    const burst = { started_at: now, urls: [], clicks: [] };
    // Moved to the end: the map is in order of start.
    this.#bursts.delete(mailId);
    this.#bursts.set(mailId, burst);
    return burst;
  }

  /** In order of start, so expired bursts are at the beginning. */
  #expire(now: number): void {
    if (now - this.#expired_at < burstMs / 10) return;
    this.#expired_at = now;
    for (const [mailId, { started_at }] of this.#bursts) {
      if (now - started_at < burstMs) return;
      this.#bursts.delete(mailId);
    }
  }
}
