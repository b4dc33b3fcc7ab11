import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Archive } from '../../base/db/backup/load-backup.ts';
import { trustAuthorities } from '../../base/trusted-authorities.ts';
import { readConfig, type Config } from '../../base/config.ts';
import type { ConnectionSettings, Queryable } from '../../base/db/database.ts';
import { connectForSchema } from '../../base/db/migrate.ts';
import { readMigrations } from '../../base/db/migrations.ts';
import { createLog } from '../../base/log.ts';
import { RootSecret } from '../../base/secrets.ts';
import { examineConsents, examineMails } from '../checks.ts';
import { optional, type Command } from '../command.ts';
import { holdEmbeddedServer } from '../embedded-server.ts';
import { takeOverErasures, type ListedErasure } from '../../restrictions/erasure-list.ts';
import { readErasureList } from '../erasure-list-file.ts';
import { createProgress } from '../progress.ts';
import { findSecretText, placeSecret } from '../root-secret.ts';
import { migrationsFolder, withUsableDataDir } from '../store.ts';

/** Runs `work` on the target, which may be a data folder that has no database yet. */
async function withTarget<T>(config: Config, work: (to: ConnectionSettings) => Promise<T>): Promise<T> {
  if (config.database_url) return await work({ connectionString: config.database_url });
  const log = createLog('silent');
  const server = await holdEmbeddedServer({
    data_dir: config.data_dir,
    create: true,
    log,
    on_lost: () => undefined,
  });
  try {
    return await work(server.connection);
  } finally {
    await server.stop();
  }
}

/** Before the file is read to its end; a data folder without a database is empty without a look. */
async function requireEmptyTarget(config: Config): Promise<void> {
  const isNew = !config.database_url && !existsSync(path.join(config.data_dir, 'postgres', 'PG_VERSION'));
  if (isNew) return;
  const { requireEmptyDatabase } = await import('../../base/db/backup/target-tables.ts');
  await withTarget(config, async (connection) => {
    const client = await connectForSchema(connection, 'chasqui restore');
    try {
      await requireEmptyDatabase(client);
    } finally {
      await client.end();
    }
  });
}

/** The secret to put into the data folder, and what the operator has to know. */
async function planSecret(
  config: Config,
  { manifest, secret }: Archive,
): Promise<{ place?: string; state: 'none' | 'present' | 'missing' | 'restored' }> {
  if (manifest.secret_fingerprint === null) return { state: 'none' };
  const fits = (text: string): boolean => new RootSecret(text).fingerprint() === manifest.secret_fingerprint;
  const here = findSecretText(config);
  if (here !== undefined && !fits(here)) {
    throw new Error(
      `The root secret here is not the one of the backup: nothing was changed. Set CHASQUI_SECRET to that one, ` +
        `or put it into ${path.join(config.data_dir, 'secret')}.`,
    );
  }
  if (here !== undefined) return { state: 'present' };
  return secret !== undefined && fits(secret) ? { state: 'restored', place: secret } : { state: 'missing' };
}

const aboutSecret = {
  none: '',
  present: 'The root secret is the one of the backup.',
  restored: 'The root secret of the backup is in the data folder.',
  missing:
    'The root secret is missing: before you start the service put the file `secret` back into the data folder, or set CHASQUI_SECRET.',
};

/** That every accepted mail is there, and that no evidence of consent was altered. */
async function verify(db: Queryable): Promise<string[]> {
  return [`mails: ${await examineMails(db)}`, `consents: ${await examineConsents(db)}`];
}

const noErasures =
  'erasures: the data folder has no list of them. If people were erased since the backup, restore again with --erasures LIST.';

async function replay(db: Queryable, erasures: ListedErasure[] | undefined): Promise<string[]> {
  if (erasures === undefined) return [noErasures];
  const replayed = await takeOverErasures(db, erasures);
  if (replayed === 0) return [];
  return [`erasures: ${replayed} since the backup are carried out again once the service runs`];
}

export const restore: Command = {
  name: 'restore',
  arguments: 'FILE [--to DATABASE_URL] [--erasures LIST] [--ignore-verification]',
  summary: 'Brings a backup back, into an empty data folder or an empty database of your own.',
  options: {
    to: { type: 'string', about: 'An external PostgreSQL (default DATABASE_URL, else the data folder).' },
    erasures: {
      type: 'string',
      about: 'List of erasures to carry out again (default erasures.jsonl in the data folder).',
    },
    'ignore-verification': {
      type: 'boolean',
      about: 'Keep the data even if mails or evidence of consent are not complete.',
    },
  },
  example: 'chasqui restore chasqui-2026-11-16.tar --to postgresql://chasqui@db/chasqui',
  async run(input) {
    const [file] = input.words;
    if (file === undefined) throw new Error('Name the file.');
    const to = optional(input, 'to');
    const config = withUsableDataDir(readConfig(to ? { ...input.env, DATABASE_URL: to } : input.env));
    trustAuthorities(config.ca_file);
    const { checkArchive, loadBackup, migrationsOf } = await import('../../base/db/backup/load-backup.ts');
    const { size } = await stat(file);
    await requireEmptyTarget(config);
    const progress = createProgress('check');
    const archive = await checkArchive(file, (at) => progress.show(at, size)).finally(() => progress.end());
    const migrations = await readMigrations(migrationsFolder);
    migrationsOf(archive.manifest, migrations);
    const secret = await planSecret(config, archive);
    const erasures = await readErasureList(optional(input, 'erasures'), config.data_dir);
    const loading = createProgress('restore');
    let findings: string[] = [];
    const check = async (db: Queryable): Promise<void> => {
      findings = await verify(db).catch((error: unknown) => {
        if (input.options['ignore-verification'] !== true) throw unverified(error as Error);
        return [`NOT VERIFIED: ${(error as Error).message}`];
      });
      findings.push(...(await replay(db, erasures)));
      if (secret.place !== undefined) await placeSecret(config, secret.place);
    };
    await withTarget(config, async (connection) => {
      const on_read = (at: number): void => loading.show(at, size);
      await loadBackup({ connection, archive, migrations, verify: check, on_read });
    }).finally(() => loading.end());
    const { made_at, tables } = archive.manifest;
    const rows = Object.values(archive.rows).reduce((sum, count) => sum + count, 0);
    const target = config.database_url ? 'the external database' : config.data_dir;
    const text = [
      `Restored ${rows} rows of ${tables.length} tables into ${target}, as of ${made_at}.`,
      ...findings,
      aboutSecret[secret.state],
    ];
    return {
      text: text.filter(Boolean).join('\n'),
      json: { file, made_at, tables: tables.length, rows, findings, secret: secret.state },
    };
  },
};

function unverified(error: Error): Error {
  return new Error(
    `What the backup has is not complete: ${error.message}. Nothing was restored; --ignore-verification restores it all the same.`,
    { cause: error },
  );
}
