import { ArchiveWriter } from '../../base/db/backup/archive-writer.ts';
import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import { requireNoFile, toStandardOutput, writeFileWhole } from '../backup-file.ts';
import type { Command } from '../command.ts';
import { createProgress, formatBytes } from '../progress.ts';
import { describeRootSecret, findSecretText } from '../root-secret.ts';
import { readVersion } from '../version.ts';
import { withStore } from './with-store.ts';

/** Throws when it is another one than that of the database: the backup could not be used with it. */
async function readSecret(db: Queryable, config: Config): Promise<string | undefined> {
  await describeRootSecret(db, config);
  return findSecretText(config);
}

const keepSecret =
  'The root secret is not in it. Keep it too, at another place: the file `secret` of the data folder, or CHASQUI_SECRET. ' +
  'Without it the DKIM and webhook keys in the backup cannot be read.';
const hasSecret =
  'It contains the root secret, unencrypted: anyone who has the file can act as this installation.';

export const backup: Command = {
  name: 'backup',
  arguments: 'FILE [--with-secret]',
  summary: 'Writes the whole database, as of now, into a file; the service goes on meanwhile.',
  options: {
    'with-secret': { type: 'boolean', about: 'Put the root secret into the file, in clear.' },
  },
  example: 'chasqui backup chasqui-2026-11-16.tar',
  async run({ env, words: [file], options }) {
    if (file === undefined) throw new Error('Name the file, or - for standard output.');
    if (file === '-' && process.stdout.isTTY) throw new Error('Standard output is a terminal: name a file.');
    await requireNoFile(file);
    // Other commands start without it.
    const { writeBackup } = await import('../../base/db/backup/write-backup.ts');
    const stopped = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => stopped.abort(new Error(`Stopped by ${signal}: no backup was made.`)));
    }
    const with_secret = options['with-secret'] === true;
    const progress = createProgress('backup');
    const began = performance.now();
    const result = await withStore(env, async (db, { config, store: { connection } }) => {
      const secret = with_secret ? await readSecret(db, config) : undefined;
      const work = async (writer: ArchiveWriter) => {
        const { manifest, rows } = await writeBackup({
          connection,
          writer,
          version: readVersion(),
          secret,
          signal: stopped.signal,
          on_progress: ({ table, done_bytes, total_bytes }) => progress.show(done_bytes, total_bytes, table),
        });
        const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
        return { made_at: manifest.made_at, bytes: writer.bytes, tables: manifest.tables.length, rows: all };
      };
      return file === '-'
        ? await work(new ArchiveWriter(toStandardOutput))
        : await writeFileWhole(file, work);
    }).finally(() => progress.end());
    const { bytes, tables, rows } = result;
    const seconds = Math.round(performance.now() - began) / 1000;
    const text = [
      `Backed up ${rows} rows of ${tables} tables to ${file}: ${formatBytes(bytes)} in ${seconds.toFixed(1)} s.`,
      with_secret ? hasSecret : keepSecret,
    ].join('\n');
    // Standard output has the backup itself.
    if (file === '-') return void (process.stderr.isTTY && process.stderr.write(`${text}\n`));
    return { text, json: { file, ...result, with_secret, seconds } };
  },
};
