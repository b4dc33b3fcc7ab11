import type { Queryable } from './database.ts';

interface Measured<Figures> {
  figures: Figures;
  measured_at: Date;
}

interface MeasurementOptions<Figures> {
  db: Queryable;
  /** Primary key in the table `measurements`. */
  name: string;
  max_age_ms: number;
  /** Computes the figures; `before` are those of the last measurement by any node. */
  measure: (before: Figures | undefined) => Promise<Figures>;
}

/** After this time another node measures: the one that began has ended, or its database is too slow. */
const claimMs = 60_000;
/** Slow measurements are taken less often: at most a twentieth of one connection. */
const restFactor = 20;

/** Only while no other node measures, and the figures are old. */
const claim = `
  insert into measurements as m (name, claimed_until) values ($1, now() + $2 * interval '1 millisecond')
  on conflict (name) do update set claimed_until = excluded.claimed_until
  where (m.claimed_until is null or m.claimed_until < now())
    and (m.measured_at is null or m.measured_at > now() + interval '1 hour' or m.measured_at <= now() - greatest($3, ${restFactor} * m.took_ms) * interval '1 millisecond')
  returning figures`;
const store = `
  update measurements set figures = $2, measured_at = now(), took_ms = $3, claimed_until = null where name = $1
  returning measured_at`;
const release = 'update measurements set claimed_until = null where name = $1';
const read = 'select figures, measured_at from measurements where name = $1';

/**
 * Figures that cost more with a larger installation are computed by one node and served by all. Returns those of the last
 * measurement, which may be older than `max_age_ms` while another node measures; undefined before the first one.
 */
export async function sharedMeasurement<Figures>({
  db,
  name,
  max_age_ms,
  measure,
}: MeasurementOptions<Figures>): Promise<Measured<Figures> | undefined> {
  const [claimed] = await db.query<{ figures: Figures | null }>(claim, [name, claimMs, max_age_ms]);
  if (claimed) {
    try {
      const began = performance.now();
      const figures = await measure(claimed.figures ?? undefined);
      const values = [name, JSON.stringify(figures), Math.round(performance.now() - began)];
      const [stored] = await db.query<{ measured_at: Date }>(store, values);
      return { figures, measured_at: stored?.measured_at ?? new Date(0) };
    } catch (error) {
      await db.query(release, [name]).catch(() => undefined);
      throw error;
    }
  }
  const [row] = await db.query<{ figures: Figures | null; measured_at: Date | null }>(read, [name]);
  return row?.figures && row.measured_at ? { figures: row.figures, measured_at: row.measured_at } : undefined;
}
