import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { ClusterRequest } from './cluster.ts';
import type { DataLayout } from './data-layout.ts';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts';
import { setRolePassword } from './role-password.ts';
import { readIfPresent } from '../../read-if-present.ts';
import { writeFileAtomic } from '../../write-file-atomic.ts';

/**
 * The socket is open to every process of the server's user. So the server asks for a password that only the service's own
 * user can read. The caller holds the start lock, and no server runs.
 */
export async function ensureAccess(request: ClusterRequest): Promise<void> {
  const { layout, user } = request;
  const password = readPassword(layout) ?? (await makePassword(layout));
  const file = path.join(layout.cluster, 'pg_hba.conf');
  const wanted = accessRules(password);
  // Written last: where it is not this text, the role may not have this password.
  if (readIfPresent(file) === wanted) return;
  await setRolePassword(request, password);
  await writeFileAtomic(file, wanted, user);
}

/** Undefined before there is a password: a server that an older release started asks for none. */
export function readPassword({ password_file, root }: DataLayout): string | undefined {
  try {
    return readIfPresent(password_file)?.trim();
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    const { uid } = statSync(password_file);
    throw new EmbeddedPostgresError(
      `The database in ${root} is accessible only to the user of its service (uid ${uid}): run as that user or as root.`,
      { cause: error },
    );
  }
}

/** A service that runs as another user must be able to read it, also when root started it first. */
async function makePassword({ password_file, root }: DataLayout): Promise<string> {
  const password = randomBytes(32).toString('base64url');
  await writeFileAtomic(password_file, `${password}\n`, statSync(root));
  return password;
}

/** All connections are over the socket. The fingerprint tells whether the role has the password of the file. */
function accessRules(password: string): string {
  const fingerprint = createHash('sha256').update(password).digest('hex');
  return `# Written by Chasqui. The password is in the data folder: sha256 ${fingerprint}\nlocal all all scram-sha-256\n`;
}
