import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import { sumOf, reconcileQueue } from './conservation.ts';
import { statusNames } from './statuses.ts';

interface ConservationOptions {
  db: Database;
  registry: Registry;
  clock: Clock;
  log: Log;
}

const windowMs = 3 * 86_400_000;
const leastWaitMs = 30_000;
/** Slow checks run less often: at most a twentieth of one connection. */
const restFactor = 20;
const statementTimeoutMs = 5_000;

/**
 * Compares mails with the queue when metrics are scraped, over the last three days by the time in their ids. That
 * bounds the work (0.9 s for 600,000 mails) and covers all but the last retries. `doctor` checks all mail.
 */
export function watchConservation({ db, registry, clock, log }: ConservationOptions): void {
  let last: Promise<void> | undefined;
  let nextAt = 0;

  async function check(): Promise<void> {
    const began = performance.now();
    try {
      show(await examine(db, clock.now()));
    } catch (error) {
      // Keep serving other metrics; the time of the last check shows that these are stale.
      log.warn({ err: error }, 'mails could not be held against the queue');
    }
    nextAt = performance.now() + Math.max(leastWaitMs, restFactor * (performance.now() - began));
  }

  /** Gauges are collected together and share one check. */
  const collect = async (): Promise<void> => {
    if (last === undefined || performance.now() >= nextAt) {
      nextAt = Infinity;
      last = check();
    }
    await last;
  };
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });

  const mails = gauge('chasqui_mails', 'Mails accepted in the last three days, by their present status.', [
    'status',
  ]);
  const depth = gauge('chasqui_queue_depth', 'Mails in the queue, held ones included.');
  const queued = gauge(
    'chasqui_queue_mails',
    'Mails in the queue by state: due, leased by a node, waiting for their next attempt, scheduled for later, or held.',
    ['state'],
  );
  const oldest = gauge('chasqui_queue_oldest_seconds', 'How long the mail that is most overdue has waited.');
  const violations = gauge(
    'chasqui_conservation_violations',
    'Mails of the last three days that are in the queue and should not be, or the other way round.',
  );
  const checked = gauge('chasqui_conservation_checked_seconds', 'Unix time of the last check that ended.');

  function show(found: Examined): void {
    for (const name of statusNames) mails.set({ status: name }, found.balance.statuses[name]);
    violations.set(sumOf(found.balance.violations));
    depth.set(found.queue.depth);
    for (const state of queueStates) queued.set({ state }, found.queue[state]);
    oldest.set(found.queue.oldest_seconds);
    checked.set(clock.now().getTime() / 1000);
  }
}

const neverTried = 'attempts = 0 and last_error is null';
const queueStates = ['due', 'leased', 'waiting', 'scheduled', 'held'] as const;

type QueueState = Record<(typeof queueStates)[number] | 'depth' | 'oldest_seconds', number>;
type Examined = Awaited<ReturnType<typeof examine>>;

async function examine(db: Database, now: Date) {
  return await db.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = ${statementTimeoutMs}`);
    const balance = await reconcileQueue(tx, { from: new Date(now.getTime() - windowMs) });
    const [queue] = await tx.query<QueueState>(
      `select count(*) as depth,
         count(*) filter (where held_since is not null) as held,
         count(*) filter (where held_since is null and due_at > $1 and lease is not null) as leased,
         count(*) filter (where held_since is null and due_at <= $1) as due,
         count(*) filter (where held_since is null and due_at > $1 and lease is null and not (${neverTried})) as waiting,
         count(*) filter (where held_since is null and due_at > $1 and lease is null and ${neverTried}) as scheduled,
         greatest(0, coalesce(extract(epoch from $1 - min(due_at) filter (where held_since is null)), 0))::float8
           as oldest_seconds
       from queue`,
      [now],
    );
    return { balance, queue: queue as QueueState };
  });
}
