import { randomBytes } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { insertInstance } from './instances.ts';

/** The instance of the platform's own mail, which has neither members nor keys. The caller holds the lock for making it. */
export async function ensurePlatformInstance(tx: Queryable): Promise<number> {
  const [found] = await tx.query<{ id: number }>('select id from instances where is_platform');
  if (found) return found.id;
  // Any slug may be taken by a tenant.
  const slug = `platform-${randomBytes(6).toString('hex')}`;
  const { id } = await insertInstance(tx, { slug, name: 'Mail of the platform' });
  await tx.query('update instances set is_platform = true where id = $1', [id]);
  return id;
}
