import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../base/config.ts';
import type { Queryable } from '../base/db/database.ts';
import { RootSecret } from '../base/secrets.ts';

/** The configured secret, else the one in the data folder, made there on the first start. */
export async function openRootSecret({ secret, data_dir }: Config): Promise<RootSecret> {
  return new RootSecret(secret ?? (await secretFromFile(path.join(data_dir, 'secret'))));
}

async function secretFromFile(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  try {
    // Exclusive: of two processes that start together one writes and the other reads.
    const handle = await open(file, 'wx', 0o600);
    const secret = randomBytes(32).toString('base64');
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
    await handle.close();
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const secret = (await readFile(file, 'utf8')).trim();
    if (secret.length < 32) throw new Error(`The root secret in ${file} is damaged.`, { cause: error });
    return secret;
  }
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
