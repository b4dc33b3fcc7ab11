import { setTimeout as delay } from 'node:timers/promises';
import { createJobRunner } from '../../src/base/jobs/job-runner.ts';
import type { Database } from '../../src/base/db/database.ts';
import { Node } from '../../src/base/engine/node.ts';
import { createLog } from '../../src/base/log.ts';
import { jobLanes } from '../../src/main/jobs.ts';

/** How late statistics are while mail of one instance is being deleted by the ordinary jobs. */
export interface DeletionFigures {
  deleted: number;
  seconds: number;
  /** Between the commit of a change and its aggregation, at most. */
  latest_seconds: number;
}

const rowsAtOnce = 100_000;
const instance = { short: 1, usual: 2 };

async function prepare(db: Database, mails: number): Promise<void> {
  await db.query(
    `insert into instances (id, slug, name, retention_months) overriding system value
     values ($1, 'short', 'Short', 1), ($2, 'usual', 'Usual', 12)`,
    [instance.short, instance.usual],
  );
  const [month] = await db.query<{ name: string; from: Date; to: Date }>(
    `select to_char(m, 'YYYY_MM') as name, m as from, m + interval '1 month' as to
     from date_trunc('month', now() - interval '2 months') as m`,
  );
  if (!month) throw new Error('There is no month before the last one.');
  for (const table of ['messages', 'message_attachments', 'mails', 'mail_tags', 'events', 'mail_subjects']) {
    await db.query(
      `create table ${table}_${month.name} partition of ${table}
       for values from (uuid_at('${month.from.toISOString()}')) to (uuid_at('${month.to.toISOString()}'))`,
    );
  }
  await db.query('alter table mails disable trigger user');
  for (let from = 0; from < mails; from += rowsAtOnce) await insertMails(db, month.from, [from, mails]);
  await db.query('alter table mails enable trigger user');
  await db.query('vacuum analyze mails, events');
}

async function insertMails(db: Database, from: Date, [first, mails]: [number, number]): Promise<void> {
  await db.query(
    `with made as (
       select (left(uuid_at($2::timestamptz + n * interval '1 ms')::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid as id,
         $2::timestamptz + n * interval '1 ms' as at
       from generate_series($3::bigint, $4::bigint) n
     ), mailed as (
       insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
         test_mode, received_at)
       select id, id, $1, 3, 'a' || id || '@example.com', 'to', 1, 'b@example.com', 'News', false, at from made
     )
     insert into events (event_id, mail_id, msg_id, instance_id, at, event) select id, id, id, $1, at, 'sent' from made`,
    [instance.short, from, first, Math.min(mails, first + rowsAtOnce) - 1],
  );
}

/** A change each half second, and when it was aggregated. */
async function watchStatistics(db: Database, isOver: () => boolean): Promise<number> {
  let latest = 0;
  while (!isOver()) {
    await db.query(
      `insert into stats_deltas (instance_id, quarter, sender_id, category_id, received) values ($1, quarter_of(now()), 1, 0, 1)`,
      [instance.usual],
    );
    const began = performance.now();
    while ((await db.query('select from stats_deltas limit 1')).length > 0) await delay(100);
    latest = Math.max(latest, performance.now() - began);
    await delay(500);
  }
  return latest / 1000;
}

export async function measureDeletion(db: Database, mails: number): Promise<DeletionFigures> {
  await prepare(db, mails);
  const log = createLog('error', process.stderr);
  const node = new Node({ db, log, roles: ['jobs'], version: '0', dead_after_ms: 90_000, releases: [] });
  await node.start();
  const clock = { now: () => new Date() };
  const runners = Object.values(jobLanes).map((jobs) => createJobRunner({ db, clock, log, node, jobs }));
  const began = performance.now();
  let isOver = false;
  const statistics = watchStatistics(db, () => isOver);
  for (const runner of runners) runner.start();
  try {
    while ((await db.query('select from mails limit 1')).length > 0) await delay(250);
    const seconds = (performance.now() - began) / 1000;
    isOver = true;
    return { deleted: mails, seconds, latest_seconds: await statistics };
  } finally {
    isOver = true;
    await Promise.all(runners.map(async (runner) => await runner.stop()));
    await node.stop();
  }
}
