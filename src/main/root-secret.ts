import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../base/config.ts';
import type { Queryable } from '../base/db/database.ts';
import { weaknessOf } from '../base/secret-strength.ts';
import { RootSecret } from '../base/secrets.ts';
import { CheckFailure } from '../installation/check.ts';
import { readIfPresent } from '../base/read-if-present.ts';

/**
 * The secret that this database was set up with: the configured one, else the one in the data folder. For a database
 * that has none yet it is made there.
 */
export async function openRootSecret(db: Queryable, config: Config): Promise<RootSecret> {
  // Looked at before the file: the setup of a database creates the file first.
  const isSetUp = (await findFingerprint(db)) !== undefined;
  const file = fileOf(config);
  const text = findSecretText(config) ?? (isSetUp ? undefined : await writeSecret(file, newSecret()));
  const secret = wrap(text, file);
  await db.query('insert into installation (secret_fingerprint) values ($1) on conflict do nothing', [
    secret.fingerprint(),
  ]);
  await requireSameSecret(db, secret);
  return secret;
}

/** The secret as it is, without a look at the database. */
export function readRootSecret(config: Config): RootSecret {
  return wrap(findSecretText(config), fileOf(config));
}

/** The configured secret or the one in the data folder; undefined if neither exists. */
export function findSecretText(config: Config): string | undefined {
  return config.secret ?? readIfPresent(fileOf(config))?.trim();
}

/** Puts the secret of a backup into the data folder. */
export async function placeSecret(config: Config, text: string): Promise<void> {
  await writeSecret(fileOf(config), text);
}

/** For people; throws when the secret is missing or another. */
export async function describeRootSecret(db: Queryable, config: Config): Promise<string> {
  if ((await findFingerprint(db)) === undefined) return 'none yet: the first start makes one';
  await requireSameSecret(db, readRootSecret(config));
  if (config.secret === undefined && ((await stat(fileOf(config))).mode & 0o077) !== 0) {
    throw new CheckFailure(
      `other users of this machine can read ${fileOf(config)}`,
      `Run \`chmod 600 ${fileOf(config)}\`.`,
    );
  }
  const weakness = weaknessOf(config.secret ?? '');
  if (config.secret !== undefined && weakness !== undefined) {
    throw new CheckFailure(
      `CHASQUI_SECRET ${weakness}`,
      'Keys derived from it can be guessed. Set up a new installation with a random one, and move to it.',
    );
  }
  return 'matches the one this database was set up with';
}

/** A node with another secret could neither read the keys in this database nor verify its tokens. */
async function requireSameSecret(db: Queryable, secret: RootSecret): Promise<void> {
  const fingerprint = await findFingerprint(db);
  if (fingerprint === undefined || fingerprint === secret.fingerprint()) return;
  throw new Error(
    'This database was set up with another root secret. Set CHASQUI_SECRET to that one (it is in the file `secret` of the first node’s data folder).',
  );
}

async function findFingerprint(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ secret_fingerprint: string }>('select secret_fingerprint from installation');
  return row?.secret_fingerprint;
}

function fileOf({ data_dir }: Config): string {
  return path.join(data_dir, 'secret');
}

/** Another one in its place would make every key in the database unreadable, and every link in sent mail invalid. */
function wrap(text: string | undefined, file: string): RootSecret {
  if (text === undefined) {
    throw new Error(
      `The root secret is missing: this database was set up with one, and ${file} is not there. Nothing was changed. ` +
        'Put that file back from a backup, or set CHASQUI_SECRET to what it said (it is in the file `secret` of the first node’s data folder).',
    );
  }
  if (text.length < 32) throw new Error(`The root secret in ${file} is damaged.`);
  return new RootSecret(text);
}

const newSecret = (): string => randomBytes(32).toString('base64');

/** Written aside and linked into place: a crash leaves all of it or nothing, and of two makers one wins. */
async function writeSecret(file: string, text: string): Promise<string> {
  // As root the embedded server runs as another user, who has to enter, but not to list.
  await mkdir(path.dirname(file), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${text}\n`);
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
