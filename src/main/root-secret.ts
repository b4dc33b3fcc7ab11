import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../base/config.ts';
import type { Queryable } from '../base/db/database.ts';
import { RootSecret } from '../base/secrets.ts';

/** The configured secret, else the one in the data folder, made there on the first start. */
export async function openRootSecret({ secret, data_dir }: Config): Promise<RootSecret> {
  return new RootSecret(secret ?? (await secretFromFile(path.join(data_dir, 'secret'))));
}

async function secretFromFile(file: string): Promise<string> {
  // As root the embedded server runs as somebody else, who has to pass through, but not to list.
  await mkdir(path.dirname(file), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const kept = (await readIfPresent(file)) ?? (await makeSecret(file));
  if (kept.length < 32) throw new Error(`The root secret in ${file} is damaged.`);
  return kept;
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written aside and linked into place: a crash leaves all of it or nothing, and of two makers one wins. */
async function makeSecret(file: string): Promise<string> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await handle.sync();
    await handle.close();
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}

/** A node with another secret could neither read the keys in this database nor verify its tokens. */
export async function requireSameSecret(db: Queryable, secret: RootSecret): Promise<void> {
  const fingerprint = secret.fingerprint();
  await db.query('insert into installation (secret_fingerprint) values ($1) on conflict do nothing', [
    fingerprint,
  ]);
  const [row] = await db.query<{ secret_fingerprint: string }>('select secret_fingerprint from installation');
  if (row?.secret_fingerprint !== fingerprint) {
    throw new Error(
      'This database was set up with another root secret. Set CHASQUI_SECRET to that one (it is in the file `secret` of the first node’s data folder).',
    );
  }
}
