import type { Queryable } from '../base/db/database.ts';
import type { Clock } from '../base/clock.ts';

const rhythmMs = 30_000;

/**
 * When keys were last used. Requests are noted in memory and written together, one row for each key that was used, so that a
 * request costs no write. A node that dies loses half a minute of it.
 */
export class KeyUses {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #on_error: (error: unknown) => void;
  readonly #wait_ms: number;
  #used = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: {
    db: Queryable;
    clock: Clock;
    on_error: (error: unknown) => void;
    wait_ms?: number;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#on_error = options.on_error;
    this.#wait_ms = options.wait_ms ?? rhythmMs;
  }

  note(keyId: string): void {
    this.#used.set(keyId, this.#clock.now());
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#on_error), this.#wait_ms).unref();
  }

  /** Writes what was noted; what cannot be written is noted again by the next request. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = [...this.#used].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.#used = new Map();
    if (used.length === 0) return;
    await this.#db.query(
      `insert into api_key_uses (key_id, last_used_at)
       select n.id, n.at from unnest($1::text[], $2::timestamptz[]) as n (id, at) join api_keys k on k.id = n.id
       order by n.id
       on conflict (key_id) do update set last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)`,
      [used.map(([id]) => id), used.map(([, at]) => at)],
    );
  }
}
