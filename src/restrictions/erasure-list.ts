import type { Queryable } from '../base/db/database.ts';

/** One erasure, as it is carried from an installation to its restored backup. It contains no names. */
export interface ListedErasure {
  instance: string;
  /** Keyed hash of one contact, in hexadecimal. */
  hash: string;
  request_id: number;
  since: Date;
}

/** Every contact that was erased, oldest first. */
export async function listErasures(db: Queryable): Promise<ListedErasure[]> {
  return await db.query<ListedErasure & Record<string, unknown>>(
    `select i.slug as instance, encode(s.hash, 'hex') as hash, s.request_id, s.since
     from suppressed_contacts s join instances i on i.id = s.instance_id
     where s.kind = 'erased' order by s.since, s.hash`,
  );
}

/** As lines of JSON. */
export function erasureLines(erasures: ListedErasure[]): string {
  return erasures.map((erasure) => `${JSON.stringify(erasure)}\n`).join('');
}

export function readErasureLines(text: string): ListedErasure[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const { instance, hash, request_id, since } = JSON.parse(line) as Record<string, unknown>;
      const at = new Date(String(since));
      const isKnown = typeof instance === 'string' && /^[0-9a-f]{64}$/.test(String(hash));
      if (!isKnown || !Number.isSafeInteger(request_id) || Number.isNaN(at.getTime())) {
        throw new Error(`Line ${index + 1} of the list of erasures is not an erasure.`);
      }
      return { instance, hash: String(hash), request_id: request_id as number, since: at };
    });
}

/**
 * Takes over erasures that the database does not know, since it came from a backup that is older. The people they are about are
 * looked for and erased again; also those who had been erased before, came back and were erased again. Returns how many.
 */
export async function takeOverErasures(tx: Queryable, erasures: ListedErasure[]): Promise<number> {
  const rows = await tx.query(
    `insert into suppressed_contacts (instance_id, hash, kind, request_id, since, replay_since)
     select i.id, decode(e.hash, 'hex'), 'erased', e.request_id, e.since, now()
     from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) as e (slug, hash, request_id, since)
     join instances i on i.slug = e.slug
     on conflict (instance_id, hash, kind) do update
       set request_id = excluded.request_id, since = excluded.since, replay_since = excluded.replay_since, returned_at = null
       where suppressed_contacts.since < excluded.since
     returning hash`,
    [
      erasures.map(({ instance }) => instance),
      erasures.map(({ hash }) => hash),
      erasures.map(({ request_id }) => request_id),
      erasures.map(({ since }) => since),
    ],
  );
  return rows.length;
}

/** Erasures to be carried out again, by instance. */
export async function erasuresToReplay(
  db: Queryable,
): Promise<{ instance_id: number; hash: Buffer; request_id: number }[]> {
  return await db.query(
    `select instance_id, hash, request_id from suppressed_contacts where replay_since is not null
     order by instance_id, hash limit 100000`,
  );
}

export async function erasuresReplayed(db: Queryable, instanceId: number, hashes: Buffer[]): Promise<void> {
  await db.query(
    'update suppressed_contacts set replay_since = null where instance_id = $1 and hash = any ($2::bytea[])',
    [instanceId, hashes],
  );
}
