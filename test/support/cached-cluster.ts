import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/chasqui-test');
const dayMs = 86_400_000;

/** Of what makes a migrated cluster: the server's release, the user it runs for, how it is made, and the migrations. */
function fingerprint(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.getuid?.()}`);
  const files = [
    'package-lock.json',
    ...globSync(['src/base/db/**/*.ts', 'migrations/*.sql'], { cwd: root }).sort(),
  ];
  for (const file of files) hash.update(file).update(readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/**
 * The folder of a cluster with all migrations. To make one takes 6 s of a processor, so it is kept below node_modules until
 * something it depends on changes.
 */
export async function cachedCluster(make: (folder: string) => Promise<void>): Promise<string> {
  const kept = path.join(cache, `cluster-${fingerprint()}`);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  removeOld();
  const folder = path.join(cache, `making-${randomUUID()}`);
  await make(folder);
  try {
    renameSync(folder, kept);
  } catch (error) {
    // Another run was first.
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
  return kept;
}

/** Another run may be copying a younger one. */
function removeOld(): void {
  for (const name of globSync('{cluster,making}-*', { cwd: cache })) {
    const folder = path.join(cache, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > dayMs) rmSync(folder, { recursive: true, force: true });
  }
}
