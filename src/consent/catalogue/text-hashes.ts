import type { Queryable } from '../../base/db/database.ts';
import type { ChainRow } from '../chain/chain-rows.ts';

/** Current hashes of version texts, each computed once, by the database. */
export class TextHashes {
  readonly #db: Queryable;
  readonly #known = new Map<number, Buffer>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  async load(rows: ChainRow[]): Promise<void> {
    const wanted = rows.flatMap((row) => (row.kind === 'event' ? [row.term_version_id] : []));
    const ids = [...new Set(wanted)].filter((id) => !this.#known.has(id));
    if (ids.length === 0) return;
    const found = await this.#db.query<{ id: number; hash: Buffer }>(
      `select id, sha256(convert_to(body, 'UTF8')) as hash from consent_term_versions where id = any ($1::bigint[])`,
      [ids],
    );
    for (const { id, hash } of found) this.#known.set(id, hash);
  }

  check(row: ChainRow): 'text_altered' | undefined {
    if (row.kind !== 'event') return undefined;
    return this.#known.get(row.term_version_id)?.equals(row.text_hash) ? undefined : 'text_altered';
  }
}
