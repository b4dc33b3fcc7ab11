import { copyFile, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const migrations = path.resolve(import.meta.dirname, '../../migrations');

/**
 * The migrations as an earlier version brought them: a comment in 0022 had other words, and what is 0034 today was the
 * first of two files with the number 0033. `with_both` has the second as well, which came some hours later.
 */
export async function makeEarlierMigrations({ with_both }: { with_both: boolean }): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-earlier-'));
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < '0033');
  for (const name of names) await copyFile(path.join(migrations, name), path.join(folder, name));
  const indexes = '0022_mails__add_indexes.sql';
  const text = await readFile(path.join(migrations, indexes), 'utf8');
  await writeFile(
    path.join(folder, indexes),
    text.replace('role jobs fills it a little behind', 'role jobs fills it about a minute behind'),
  );
  await copyFile(
    path.join(migrations, '0034_mails__find_without_reading.sql'),
    path.join(folder, '0033_mails__find_without_reading.sql'),
  );
  const second = '0033_messages__keep_short_content_in_rows.sql';
  if (with_both) await copyFile(path.join(migrations, second), path.join(folder, second));
  return folder;
}
