import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { findInstalledPostgres, startInstalledPostgres } from './installed-postgres.ts';
import { createTestDatabase } from './test-database.ts';
import { Database, type ConnectionSettings } from '../../src/base/db/database.ts';
import { describeSchema } from './describe-schema.ts';
import { migrate } from '../../src/base/db/migrate.ts';

const migrations = path.resolve(import.meta.dirname, '../../migrations');

/** One of everything that a migration may use. */
const everything = `
  create type mood as enum ('sad', 'glad');
  create domain short as text not null check (length(value) < 9);
  create sequence tickets;
  create table parents (
    id bigint generated always as identity primary key,
    name text collate "C" not null default 'x''y' unique,
    size int generated always as (length(name)) stored,
    "order" mood, tag short, ticket bigint default nextval('tickets'),
    constraint name_is_short check (length(name) < 100 or "order" = 'glad')
  ) with (fillfactor = 70);
  comment on table parents is 'it''s theirs';
  comment on column parents."order" is 'how they feel';
  create table mails (at timestamptz not null, id uuid not null, parent_id bigint references parents, primary key (at, id))
    partition by range (at);
  create table mails_2026_01 partition of mails for values from ('2026-01-01') to ('2026-02-01');
  create table mails_2026_02 partition of mails for values from ('2026-02-01') to ('2026-03-01');
  create index mails_parent on mails (parent_id, lower(id::text)) where parent_id > 1;
  create table answers (at timestamptz, id uuid, foreign key (at, id) references mails);
  create unlogged table scratch ();
  create function touch(a int, b text default 'x') returns int language sql as 'select a';
  create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
  create trigger touched before insert on parents for each row when (new.id > 1) execute function touch();
  comment on function touch() is 'marks';
  create view names as select name from parents;`;

async function describe(connection: ConnectionSettings, sql = ''): Promise<string> {
  const client = new Client(connection);
  await client.connect();
  await client.query(sql);
  await client.end();
  const db = new Database({ connection, pool_size: 1, pipelines: 0, on_error: () => undefined });
  try {
    return await describeSchema(db);
  } finally {
    await db.end();
  }
}

test('everything that a migration may make is told, once, where a reader looks for it', async (t) => {
  const database = await createTestDatabase({ empty: true });
  t.after(async () => await database.drop());
  const text = await describe(database.connection, everything);
  for (const expected of [
    "CREATE TYPE mood AS ENUM ('sad', 'glad');",
    'CREATE DOMAIN short AS text NOT NULL CHECK (length(VALUE) < 9);',
    'CREATE SEQUENCE tickets;',
    '  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,',
    `  name text COLLATE "C" NOT NULL DEFAULT 'x''y'::text,`,
    '  size integer GENERATED ALWAYS AS (length(name)) STORED,',
    '  "order" mood,',
    `  ticket bigint DEFAULT nextval('tickets'::regclass),`,
    '  CONSTRAINT parents_pkey PRIMARY KEY (id),',
    '  CONSTRAINT parents_name_key UNIQUE (name),',
    `  CONSTRAINT name_is_short CHECK (length(name) < 100 OR "order" = 'glad'::mood)\n) WITH (fillfactor=70);`,
    "COMMENT ON TABLE parents IS 'it''s theirs';",
    `COMMENT ON COLUMN parents."order" IS 'how they feel';`,
    '\n) PARTITION BY RANGE (at);\n-- partitions: mails_NNNN_NN\n',
    'CREATE INDEX mails_parent ON ONLY mails USING btree (parent_id, lower(id::text)) WHERE parent_id > 1;',
    'CREATE UNLOGGED TABLE scratch (',
    'CREATE TRIGGER touched BEFORE INSERT ON parents FOR EACH ROW WHEN (new.id > 1) EXECUTE FUNCTION touch();',
    "COMMENT ON FUNCTION touch() IS 'marks';",
    'CREATE VIEW names AS\n',
  ]) {
    assert.ok(text.includes(expected), `${expected}\nis not in\n${text}`);
  }
  assert.equal(text.match(/FOREIGN KEY \(at, id\) REFERENCES mails/g)?.length, 1);
  assert.equal(text.match(/CREATE OR REPLACE FUNCTION touch\(/g)?.length, 2);
  assert.doesNotMatch(text, /2026|parents_id_seq|not_null/);
});

test('objects of extensions and the list of migrations are left out', async (t) => {
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  assert.doesNotMatch(await describe(database.connection), /schema_migrations|pg_catalog/);
});

const oldest = findInstalledPostgres(15);
const skip = oldest === undefined && 'no PostgreSQL 15 is installed on this machine';
test('the migrations run on PostgreSQL 15 and give the same text there', { skip }, async (t) => {
  const database = await createTestDatabase();
  const empty = await createTestDatabase({ empty: true });
  const installed = await startInstalledPostgres(oldest ?? '');
  t.after(async () => {
    await installed.stop();
    await database.drop();
    await empty.drop();
  });
  await migrate(installed.connection, migrations);
  assert.equal(await describe(installed.connection), await describe(database.connection));
  await describe(installed.connection, 'drop schema public cascade; create schema public');
  const withoutViews = everything.replace(/create view.*/, '');
  assert.equal(
    await describe(installed.connection, withoutViews),
    await describe(empty.connection, withoutViews),
  );
});
