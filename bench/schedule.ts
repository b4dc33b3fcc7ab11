import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createTestDatabase } from '../test/support/test-database.ts';
import { Database, type Statement } from '../src/base/db/database.ts';
import { createClaim, type ClaimRequest } from '../src/queue/claim.ts';
import { keepResults } from './support/results.ts';
import { median } from './support/share.ts';
import { targetOf } from './support/targets.ts';

/**
 * What scheduled mail costs the queue: `npm run bench -- schedule [mails]`, a million unless said. The same claims without
 * and with the scheduled mails, in turns: one round differs from the next by up to half.
 */
const rounds = Number(process.env['ROUNDS'] ?? 5);
const lanes = 1_000;
const mails_per_lane = 60;
const idleClaims = 1_000;
const busyClaims = 100;
const claimedAtOnce = 250;

const scheduling = 1;
const sending = 2;
const retrying = 3;

const request = (count = claimedAtOnce): ClaimRequest => ({
  lease: randomUUID(),
  count,
  per_lane: 10,
  lease_seconds: 1_800,
  excluded: [],
  now: new Date(),
});

export interface Cost {
  /** Median. */
  ms: number;
  /** Processor time of PostgreSQL, which other load on the machine does not change. */
  cpu_ms: number;
}

export interface Measured {
  idle: Cost;
  busy: Cost;
}

const backend: Statement = { name: 'bench.backend', text: 'select pg_backend_pid() as pid' };
const tickMs = 10;

/** Of the one connection that claims run on. */
async function processorMs(db: Database): Promise<number> {
  const [row] = await db.query<{ pid: number }>(backend);
  const [utime, stime] = readFileSync(`/proc/${row?.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13);
  return (Number(utime) + Number(stime)) * tickMs;
}

async function costOf(db: Database, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const spent: number[] = [];
  const cpu = await processorMs(db);
  for (let turn = 0; turn < count; turn += 1) {
    const began = performance.now();
    await work();
    spent.push(performance.now() - began);
  }
  const ms = spent.toSorted((a, b) => a - b)[count >> 1] ?? 0;
  return { ms, cpu_ms: ((await processorMs(db)) - cpu) / count };
}

/** Claims with nothing due, and claims with mail in a thousand lanes. */
export async function measure(db: Database): Promise<Measured> {
  await db.query('vacuum analyze queue');
  const claim = createClaim(db);
  const idle = await costOf(db, idleClaims, async () => await claim(request()));
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), $1, 'd' || n % $2 || '.test', 0, 0, now() from generate_series(1, $3) n`,
    [sending, lanes, lanes * mails_per_lane],
  );
  await db.query('vacuum analyze queue');
  const busy = await costOf(db, busyClaims, async () => {
    const found = await claim(request());
    if (found.length < claimedAtOnce) throw new Error(`only ${found.length} mails were claimed`);
  });
  await db.query('delete from queue where instance_id = $1', [sending]);
  return { idle, busy };
}

const rowsAtOnce = 50_000;

/** To as many destinations as a broadcast has: one in ten mails has one of its own. */
async function schedule(db: Database, mails: number, due_at: Date): Promise<void> {
  for (let from = 1; from <= mails; from += rowsAtOnce) {
    await db.query(
      `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
       select gen_random_uuid(), gen_random_uuid(), $1,
         case when n % 10 = 0 then 'own' || n || '.test' else 'big' || n % 5 || '.test' end, 1, $2
       from generate_series($3::integer, $4) n`,
      [scheduling, due_at, from, Math.min(mails, from + rowsAtOnce - 1)],
    );
  }
}

interface Falling {
  seconds: number;
  slowest_ms: number;
  retry_ms: number;
}

/** All of them fall due at once; the retry of another instance falls due after them. */
async function fallDue(db: Database, mails: number): Promise<Falling> {
  await db.query('truncate queue');
  await schedule(db, mails, new Date(Date.now() - 60_000));
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, attempts)
     values (gen_random_uuid(), gen_random_uuid(), $1, 'retry.test', 0, now(), 1)`,
    [retrying],
  );
  await db.query('vacuum analyze queue');
  const claim = createClaim(db);
  const began = performance.now();
  let [retry_ms, slowest_ms, claimed] = [Number.NaN, 0, 0];
  for (;;) {
    const start = performance.now();
    const found = await claim(request(1_000));
    slowest_ms = Math.max(slowest_ms, performance.now() - start);
    if (found.some(({ instance_id }) => instance_id === retrying)) retry_ms = performance.now() - began;
    claimed += found.length;
    if (found.length === 0 || claimed > 20_000) break;
  }
  return { seconds: (performance.now() - began) / 1000, slowest_ms, retry_ms };
}

export async function benchSchedule(): Promise<void> {
  const mails = Number(process.argv[3] ?? 1_000_000);
  const database = await createTestDatabase();
  const db = new Database({
    connection: database.connection,
    pool_size: 2,
    pipelines: 1,
    on_error: (error) => console.error(error),
  });
  try {
    const cases = [
      { name: 'none', scheduled: 0, measured: [] as Measured[] },
      { name: `${mails}`, scheduled: mails, measured: [] as Measured[] },
    ];
    await measure(db);
    for (let round = 0; round < rounds; round += 1)
      for (const { scheduled, measured } of cases) {
        await db.query('truncate queue');
        await schedule(db, scheduled, new Date(Date.now() + 7 * 86_400_000));
        measured.push(await measure(db));
      }
    const falling = await fallDue(db, mails);
    const shown = (costs: Cost[]): string =>
      `${median(costs.map(({ cpu_ms }) => cpu_ms)).toFixed(2)} | ${median(costs.map(({ ms }) => ms)).toFixed(2)}`;
    const row = ({ name, measured }: (typeof cases)[number]): string =>
      `| ${name} | ${shown(measured.map(({ idle }) => idle))} | ${shown(measured.map(({ busy }) => busy))} | ${targetOf('schedule', name)} |`;
    const lines = [
      `${rounds} rounds in turns; medians of ${idleClaims} claims with nothing due and of ${busyClaims} claims of ${claimedAtOnce} mails from ${lanes} lanes each. The scheduled mails are one instance's, due in a week, a tenth of them to a destination of its own. PostgreSQL without fsync.`,
      '',
      '| scheduled mails | idle claim, CPU ms of PostgreSQL | median ms | busy claim, CPU ms of PostgreSQL | median ms | target |',
      '|---|---|---|---|---|---|',
      ...cases.map(row),
      '',
      `All ${mails} due at the same moment: the retry of another instance, due a minute after them, is claimed after ${falling.retry_ms.toFixed(0)} ms; the slowest claim takes ${falling.slowest_ms.toFixed(0)} ms.`,
    ];
    keepResults('schedule', lines);
    console.log(lines.join('\n'));
  } finally {
    await db.end();
    await database.drop();
  }
}
