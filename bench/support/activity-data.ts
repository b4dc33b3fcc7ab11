import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, type QueryResultRow } from 'pg';
import {
  Database,
  type ConnectionSettings,
  type Queryable,
  type Statement,
} from '../../src/base/db/database.ts';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/base/db/migrate.ts';
import { scopes } from '../../src/base/http/access.ts';
import { foldStats } from '../../src/activity/fold-stats.ts';
import { createApiKey } from '../../src/credentials/api-keys.ts';
import { provisionInstance } from '../../src/main/provision.ts';
import { migrationsFolder } from '../../src/main/store.ts';

export interface ActivityData {
  data_dir: string;
  slug: string;
  api_key: string;
  /** Another instance, which can send. */
  sender: { slug: string; api_key: string };
}

const operator = { kind: 'operator' } as const;
const days = 88;
const chunk = 200_000;

/**
 * A data folder with that many mails and twice as many events over three months, 100 instances, one of them with half of
 * all: made by the database itself, with the service's own migrations, and kept for the next run. It is about 1.8 GB per
 * million mails; `ACTIVITY_DATA` says where.
 */
export async function prepareActivity(mails: number): Promise<ActivityData> {
  const data_dir = path.join(process.env['ACTIVITY_DATA'] ?? '/var/tmp/chasqui-activity', `${mails}-tagged`);
  const mark = `${data_dir}.complete`;
  // A preparation that was interrupted left part of a chunk and no indexes.
  if (!existsSync(mark)) rmSync(data_dir, { recursive: true, force: true });
  mkdirSync(data_dir, { recursive: true });
  chmodSync(data_dir, 0o755);
  const postgres = await openEmbeddedPostgres({ data_dir, durable: true, settings: { autovacuum: 'off' } });
  const { connection } = postgres;
  await migrate(connection, migrationsFolder);
  const db = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
  const loading = await connectToLoad(connection);
  try {
    if (!existsSync(mark)) {
      await begin(db);
      await load(loading, mails);
      writeFileSync(mark, '');
    }
    const api_key = await keyFor(db, 'bench-1');
    const sender = { slug: 'bench-sender', api_key: await keyFor(db, 'bench-sender') };
    return { data_dir, slug: 'bench-1', api_key, sender };
  } finally {
    await loading.end();
    await db.end();
    await postgres.stop();
  }
}

async function keyFor(db: Database, slug: string): Promise<string> {
  const [instance] = await db.query<{ id: number }>('select id from instances where slug = $1', [slug]);
  const key = { name: 'bench', scopes: [...scopes], ip_allowlist: [] };
  return (await createApiKey(db, instance?.id ?? 0, { key, actor: operator })).api_key;
}

/** A connection to the database of a folder whose service runs. */
export async function connectToData(data_dir: string): Promise<Client> {
  const { connection } = await openEmbeddedPostgres({ data_dir, create: false });
  const client = new Client(connection);
  await client.connect();
  return client;
}

/** Without the indexes and the triggers, which are made anew and caught up with afterwards: a third of the time. */
async function load(db: Queryable, mails: number): Promise<void> {
  await db.query('alter table mails disable trigger user');
  const indexes = await takeIndexes(db);
  for (let done = 0; done < mails; done += chunk) {
    await db.query(numbers(done, mails));
    for (const rows of [messages, mailRows, tagRows, eventRows]) await db.query(rows);
    say(`${done + chunk} mails`);
  }
  await db.query(stats);
  await db.query(subjects);
  say('statistics and subjects');
  for (const definition of indexes) {
    await db.query(definition);
    say(definition);
  }
  await db.query('alter table mails enable trigger user');
  while ((await foldStats(db)) > 0);
  // Leaves autovacuum nothing to do while a run measures.
  await db.query('vacuum (freeze, analyze)');
  say('vacuumed and analysed');
}

const loaded = ['mails', 'events', 'mail_subjects'];

async function takeIndexes(db: Queryable): Promise<string[]> {
  const indexes = await db.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = any ($1::regclass[]) and not i.indisprimary`,
    [loaded],
  );
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  return indexes.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

function say(text: string): void {
  process.stderr.write(`${Math.round(performance.now() / 1000)} s: ${text}\n`);
}

/** As the triggers would have counted, and as role jobs would have copied. */
const stats = `
  insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, received, sent, dropped,
    bounced, opens, unique_opens, clicks, unique_clicks, unopened)
  select instance_id, quarter_of(received_at), sender_id, 0, custom_group_code, count(*),
    count(*) filter (where status = 3), count(*) filter (where status = 4), count(*) filter (where status = 6),
    sum(opens), sum(opens), sum(clicks), sum(clicks), count(*) filter (where status = 3 and opens = 0)
  from mails group by 1, 2, 3, 4, 5`;
const subjects = `
  insert into mail_subjects select mail_id, instance_id, lower(subject collate "und-x-icu") from mails`;

/** A connection without limits of time, whose commits do not wait for the disk. */
async function connectToLoad(connection: ConnectionSettings): Promise<Queryable & { end(): Promise<void> }> {
  const client = new Client(connection);
  await client.connect();
  await client.query(
    "set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '256MB'",
  );
  return {
    query: async <Row extends QueryResultRow>(sql: string | Statement, values: unknown[] = []) =>
      (await client.query<Row>(typeof sql === 'string' ? sql : sql.text, values)).rows,
    end: async () => await client.end(),
  };
}

async function begin(db: Database): Promise<void> {
  await db.query("create table bench_time as select date_trunc('hour', now()) as until");
  await makeMonths(db);
  for (let number = 1; number <= 100; number += 1) {
    await db.query(
      `insert into instances (slug, name, requests_per_second, bandwidth_bytes_per_second, bandwidth_burst_bytes)
       values ($1, $1, 0, 1e12, 1e12)`,
      [`bench-${number}`],
    );
  }
  await db.transaction(
    async (tx) => await provisionInstance(tx, { slug: 'bench-sender', name: 'bench-sender' }, operator),
  );
}

/** The months before the last one, which the service has no reason to make. */
async function makeMonths(db: Database): Promise<void> {
  for (const parent of ['messages', 'message_attachments', 'mails', 'mail_tags', 'events', 'mail_subjects']) {
    for (const back of [2, 3]) {
      await db.query(
        `do $$
         declare month timestamptz := (date_trunc('month', now() at time zone 'UTC') - interval '${back} months') at time zone 'UTC';
         begin
           execute format('create table if not exists %I partition of ${parent} for values from (%L) to (%L)',
             '${parent}_' || to_char(month at time zone 'UTC', 'YYYY_MM'), uuid_at(month),
             uuid_at((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'));
         end $$`,
      );
    }
  }
}

/**
 * Two mails to a message, messages evenly over the time, every second one of the first instance. 94 % are sent, of which
 * three quarters are opened once and a quarter is clicked; 4 % bounce, 2 % are dropped.
 */
const series = (done: number, mails: number): string => `
  select i, k, msec, instance_id, ${mails / 20} as recipients,
    (lpad(to_hex(msec), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || '8' || lpad(to_hex(i), 15, '0'))::uuid as mail_id,
    (lpad(to_hex(msec), 12, '0') || '7000' || 'a' || lpad(to_hex(k), 15, '0'))::uuid as msg_id,
    case when i % 50 < 47 then 3 when i % 50 < 49 then 6 else 4 end as status,
    case when i % 50 < 47 and i % 4 > 0 then 1 else 0 end as opens,
    case when i % 50 < 47 and i % 4 = 1 then 1 else 0 end as clicks
  from (
    select i, i / 2 as k,
      (extract(epoch from p.until) * 1000 - ${days}::bigint * 86400000
        + (i / 2) * (${days}::bigint * 86400000 / ${mails / 2}))::bigint as msec,
      case when i / 2 % 2 = 0 then 1 else 2 + i / 4 % 99 end as instance_id
    from generate_series(${done}::bigint, ${done + chunk - 1}::bigint) as i, bench_time p
  ) as n`;

/** Once for the three tables. */
const numbers = (done: number, mails: number): string => `
  drop table if exists numbered;
  create temp table numbered as ${series(done, mails)}`;

const messages = `
  insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes, content_kind,
    envelope, html)
  select msg_id, instance_id, instance_id, 'http', 'transactional', false, 2, 100, 'parts', '{}', '<p>x</p>'
  from numbered as mail where i % 2 = 0`;

const mailRows = `
  insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
    test_mode, custom_msg_id, custom_group_code, received_at, queued_at, sent_at, opens, clicks, tags)
  select mail_id, msg_id, instance_id, status, 'user' || (i * 7919) % recipients || '@example.com', 'to',
    instance_id, 'hello@mail.example.com',
    case when k % 10 = 0 then 'Your order ' || k || ' is on its way' else 'Report ' || k || ' for your team' end
      || case when k % 50000 = 6 then ' in Zanzibar' else '' end,
    false, 'c-' || k, case when k % 3 = 0 then 'campaign-' || k / 600 end, at, at,
    case when status = 3 then at + interval '1.2 seconds' end, opens, clicks,
    jsonb_build_object('customer', (k * 7919 % recipients)::text, 'plan', 'plan-' || k % 10)
  from (select *, to_timestamp(msec / 1000.0) as at from numbered) as mail`;

const tagRows = `
  insert into mail_tags (instance_id, tag, mail_id)
  select m.instance_id, key || ':' || value, m.mail_id
  from numbered join mails m using (mail_id) cross join lateral jsonb_each_text(m.tags)`;

const eventRows = `
  insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, reason, data)
  select (lpad(to_hex(msec + later), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || kind || lpad(to_hex(i), 15, '0'))::uuid,
    mail_id, msg_id, instance_id, to_timestamp((msec + later) / 1000.0), event,
    case when event in ('opened', 'clicked') then null else status end,
    case event when 'bounced' then 'mailbox_unknown' when 'dropped' then 'recipient_restricted' end, data::jsonb
  from numbered as mail
  cross join lateral (values
    ('8', 1200, case status when 3 then 'sent' when 6 then 'bounced' else 'dropped' end,
      case when status = 6 then '{"type": "hard", "smtp_code": 550, "enhanced_code": "5.1.1", "response": "550 5.1.1 no such user", "remote_host": "mx.example.com", "attempt": 1}'
        else '{"attempt": 1, "remote_host": "mx.example.com", "smtp_code": 250, "response": "250 2.0.0 OK", "duration_ms": 312}' end),
    ('9', 3600000, case when opens > 0 then 'opened' end, '{"user_agent": "Mozilla/5.0 (Macintosh)", "is_machine": false}'),
    ('a', 3700000, case when clicks > 0 then 'clicked' end, '{"url": "https://example.com/offer", "user_agent": "Mozilla/5.0 (Macintosh)", "is_machine": false}')
  ) as happened (kind, later, event, data)
  where event is not null`;
