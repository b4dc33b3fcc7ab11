import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { errorCode } from './embedded-postgres-error.ts';
import { canReach } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

/**
 * The directory to run the binaries from: where npm put them, or else a copy beside the data (60 MB, once per
 * version) when the server's user cannot execute them there or their links cannot be made. The caller holds
 * the start lock.
 */
export async function prepareBinaries(binaries: Binaries, user: ServerUser, root: string): Promise<string> {
  const linked = tryMakeLinks(binaries.native_dir);
  if (linked && canReach(user, path.join(binaries.native_dir, 'bin', 'postgres'))) return binaries.native_dir;
  const staged = path.join(root, `postgres-${binaries.version}`);
  if (!existsSync(staged)) {
    await removeStaged(root);
    const unfinished = `${staged}.unfinished`;
    await copyTree(binaries.native_dir, unfinished);
    makeLinks(unfinished);
    await rename(unfinished, staged);
  }
  return staged;
}

/**
 * npm packs no symbolic links: the package lists them for an install script that `--ignore-scripts` and other
 * package managers skip. Without them: "libicuuc.so.60: cannot open shared object file".
 */
export function makeLinks(nativeDir: string): void {
  const list = readFileSync(path.join(nativeDir, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Both are written relative to the package, one level above nativeDir and named "native/…".
    const link = path.join(nativeDir, path.relative('native', target));
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error; // another process was faster
    }
  }
}

function tryMakeLinks(nativeDir: string): boolean {
  try {
    makeLinks(nativeDir);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/** Copies of other versions and halves of copies. No server runs, so nothing uses them. */
async function removeStaged(root: string): Promise<void> {
  const names = await readdir(root);
  const old = names.filter((name) => /^postgres-\d/.test(name));
  await Promise.all(old.map(async (name) => await rm(path.join(root, name), { recursive: true })));
}

/** Modes are set and not inherited, because under umask 077 other users could not read a copy made by root. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const copy = path.join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, copy);
    else if (entry.isFile()) await copyProgram(source, copy);
  }
}

async function copyProgram(source: string, copy: string): Promise<void> {
  const isProgram =
    path.basename(path.dirname(source)) === 'bin' || ((await stat(source)).mode & 0o100) !== 0;
  await copyFile(source, copy);
  await chmod(copy, isProgram ? 0o755 : 0o644);
}
