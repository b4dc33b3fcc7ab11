/** What a notification on `chasqui_live` says. */
export interface Announcement {
  instance_id: number;
  kind: 'mails' | 'events';
  ids: string[];
  /** Of all rows, the named ones included. */
  count: number;
}

/** Of one instance in a round; a busy instance is told the rest as a number. */
const maxNamed = 100;

/** What was announced since the last round, bounded per instance however much it was. */
export class PendingAnnouncements {
  #named: Record<Announcement['kind'], string[]> = { mails: [], events: [] };
  #counts = new Map<number, { named: number; unnamed: number }>();

  add({ instance_id, kind, ids, count }: Announcement): void {
    const counts = this.#counts.get(instance_id) ?? { named: 0, unnamed: 0 };
    this.#counts.set(instance_id, counts);
    const taken = ids.slice(0, Math.max(0, maxNamed - counts.named));
    this.#named[kind].push(...taken);
    counts.named += taken.length;
    counts.unnamed += count - taken.length;
  }

  /** Everything so far; undefined when there is nothing. */
  take(): { event_ids: string[]; mail_ids: string[]; unnamed: Map<number, number> } | undefined {
    if (this.#counts.size === 0) return undefined;
    const { mails, events } = this.#named;
    const unnamed = new Map([...this.#counts].map(([id, counts]) => [id, counts.unnamed]));
    this.#named = { mails: [], events: [] };
    this.#counts = new Map();
    return { event_ids: events, mail_ids: mails, unnamed };
  }
}
