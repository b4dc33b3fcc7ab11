import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withStore } from '../src/main/commands/with-store.ts';
import { startRemoteMx } from '../test/support/remote-mx.ts';
import type { LoadResult, Task } from './support/http-load.ts';
import { keepResults } from './support/results.ts';
import { addSendingDomain } from './support/sending-domain.ts';
import { startServiceUnderTest, type ServiceUnderTest } from './support/service-under-test.ts';

/**
 * What one mail takes of WAL and disk, role by role, for docs/scaling.md; `accept` and `deliver` measure its processor time. Every
 * role is a process of its own; they work one after the other, so that each is measured by itself.
 */
const mails = Number(process.env['MAILS'] ?? 10_000);
const body_bytes = 3_000;
const destination = 'example.test';
const jobsSeconds = 20;

interface Reading {
  wal: number;
  disk: number;
  connections: number;
}

async function read({ env }: ServiceUnderTest): Promise<Reading> {
  return await withStore(env, async (db) => {
    const [row] = await db.query<Reading>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
         pg_database_size(current_database())::float8 as disk,
         (select count(*)::integer from pg_stat_activity where datname = current_database()) as connections`,
    );
    if (row === undefined) throw new Error('the database said nothing');
    return row;
  });
}

interface Phase {
  role: string;
  wal: number;
  disk: number;
}

async function measure(service: ServiceUnderTest, role: string, work: () => Promise<void>): Promise<Phase> {
  const before = await read(service);
  await work();
  const now = await read(service);
  return { role, wal: (now.wal - before.wal) / mails, disk: (now.disk - before.disk) / mails };
}

async function accept(service: ServiceUnderTest, sender: string): Promise<void> {
  const task: Task = {
    base_url: service.base_url,
    path: '/v1/mails/send',
    headers: {
      authorization: `Bearer ${service.api_key}`,
      'x-instance-slug': service.slug,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sender_email: sender,
      to: [{ email: `ana@${destination}` }],
      subject: 'Your order 1001',
      html: `<p>${'Thank you. '.repeat(body_bytes / 11)}</p>`,
    }),
    connections: 64,
    requests: mails,
  };
  const load = path.join(import.meta.dirname, 'support/http-load.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [load, JSON.stringify(task)]);
  const { failures } = JSON.parse(stdout) as LoadResult;
  if (failures > 0) throw new Error(`${failures} sends failed`);
}

/** Bytes a mail of each table with its partitions, indexes and TOAST. */
async function largestTables({ env }: ServiceUnderTest): Promise<string> {
  const rows = await withStore(
    env,
    async (db) =>
      await db.query<{ name: string; bytes: number }>(
        `select coalesce(i.inhparent::regclass::text, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
         from pg_class c left join pg_inherits i on i.inhrelid = c.oid
         where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 2 desc limit 6`,
      ),
  );
  return rows.map(({ name, bytes }) => `\`${name}\` ${Math.round(bytes / mails)}`).join(', ');
}

/** So that role delivery has started by the time it has something to do. */
async function pause({ env, slug }: ServiceUnderTest): Promise<void> {
  await withStore(env, async (db) => {
    await db.query(
      'insert into paused_destinations (instance_id, destination) select id, $2 from instances where slug = $1',
      [slug, destination],
    );
  });
}

async function resumeUntilEmpty({ env }: ServiceUnderTest): Promise<void> {
  await withStore(env, async (db) => {
    await db.query('delete from paused_destinations');
    while ((await db.query('select 1 as one from queue limit 1')).length > 0) await sleep(200);
  });
}

export async function benchFootprint(): Promise<void> {
  const mx = await startRemoteMx({});
  const data_dir = await mkdtemp(path.join(tmpdir(), 'chq-bench-footprint-'));
  const env = {
    CHASQUI_DATA_DIR: data_dir,
    CHASQUI_SMARTHOST: `smtp://127.0.0.1:${mx.port}`,
    CHASQUI_MX_ALLOW_PRIVATE: 'true',
  };
  const api = await startServiceUnderTest('api', env);
  const started = [api];
  const start = async (role: string): Promise<ServiceUnderTest> => {
    const service = await startServiceUnderTest(role, env, { caller: api });
    started.push(service);
    return service;
  };
  try {
    const sender = await addSendingDomain(api, { domain: 'shop.example.test' });
    const idle = (await read(api)).connections;
    await pause(api);
    await start('delivery');
    const phases = [
      await measure(api, '`api`: accepted over HTTP', async () => {
        await accept(api, sender);
      }),
      await measure(api, '`delivery`: signed, sent to one relay', async () => {
        await resumeUntilEmpty(api);
      }),
    ];
    phases.push(
      await measure(api, '`jobs`: statistics, search', async () => {
        await start('jobs');
        await sleep(jobsSeconds * 1_000);
      }),
    );
    report(phases, { idle, all: (await read(api)).connections, tables: await largestTables(api) });
  } finally {
    for (const service of started.toReversed()) await service.stop();
    await mx.stop();
    await rm(data_dir, { recursive: true, force: true });
  }
}

interface Also {
  idle: number;
  all: number;
  tables: string;
}

function report(phases: Phase[], { idle, all, tables }: Also): void {
  const sum = (key: 'wal' | 'disk'): number => phases.reduce((total, phase) => total + phase[key], 0);
  const line = ({ role, wal, disk }: Phase): string =>
    `| ${role} | ${Math.round(wal)} | ${Math.round(disk)} |`;
  const total = { role: 'all', wal: sum('wal'), disk: sum('disk') };
  keepResults('footprint', [
    `${mails} mails of ${body_bytes} bytes, one recipient each, DKIM RSA-2048. Each role is a process of its own, and they work one after the other. PostgreSQL is the embedded one, with full-page images after its checkpoints. Processes with one role have ${idle - 1} connections (\`api\`); the three together ${all - 1}. Bytes a mail of the largest tables: ${tables}.`,
    '',
    '| a mail takes | WAL, bytes | disk, bytes |',
    '|---|---|---|',
    ...[...phases, total].map(line),
  ]);
}
