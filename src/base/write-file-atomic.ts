import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file that only its owner can read, and that has its name only once it is complete and on disk. It is written aside under a
 * new name, and nothing is followed: the folder may be one that others write in, who must not lead root elsewhere.
 */
export async function writeFileAtomic(
  file: string,
  text: string,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const aside = `${file}.${crypto.randomUUID()}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    if (owner && process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
    await rename(aside, file);
  } finally {
    await handle.close();
    await rm(aside, { force: true });
  }
}
