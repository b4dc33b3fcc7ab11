import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import type { Database } from '../../src/base/db/database.ts';
import { createLog } from '../../src/base/log.ts';
import { createQueueRelease } from '../../src/queue/leases.ts';
import { watchQueue } from '../../src/queue/queue-metrics.ts';
import { type Measured, measure } from '../schedule.ts';

const rounds = Number(process.env['ROUNDS'] ?? 3);
const rowsAtOnce = 100_000;
const retryHours = 4;
const lease_seconds = 1_800;

interface Round extends Measured {
  release_ms: number;
  metrics_ms: number;
}

/** Of one destination, each after its third attempt, spread over the hours in which retries are due. */
async function defer(db: Database, mails: number): Promise<void> {
  for (let from = 1; from <= mails; from += rowsAtOnce) {
    await db.query(
      `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, attempts, last_error)
       select gen_random_uuid(), gen_random_uuid(), 1, 'deferred.test', 0,
         now() + interval '10 minutes' + random() * interval '${retryHours} hours', 3, 'connection_refused'
       from generate_series($1::integer, $2) n`,
      [from, Math.min(mails, from + rowsAtOnce - 1)],
    );
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function measureRound(db: Database): Promise<Round> {
  const measured = await measure(db);
  const release = createQueueRelease({ lease_seconds });
  const lost = { nodes: [], leases: [randomUUID()], ages_ms: [100] };
  const release_ms = await timed(async () => await release(db, lost));
  await db.query('truncate measurements');
  const registry = new Registry();
  watchQueue({ db, registry, clock: { now: () => new Date() }, log: createLog('error', process.stderr) });
  return { ...measured, release_ms, metrics_ms: await timed(async () => await registry.metrics()) };
}

/** The same claims without and with the deferred mail, in turns. */
export async function measureClaims(
  db: Database,
  mails: number,
): Promise<{ none: Round[]; deferred: Round[] }> {
  const found = { none: [] as Round[], deferred: [] as Round[] };
  await measure(db);
  for (let round = 0; round < rounds; round += 1) {
    await db.query('truncate queue');
    found.none.push(await measureRound(db));
    await defer(db, mails);
    found.deferred.push(await measureRound(db));
  }
  return found;
}
