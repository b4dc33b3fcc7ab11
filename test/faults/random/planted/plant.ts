import { chmodSync, cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PlantedBug } from './planted-bugs.ts';

/** What the service runs from. */
const parts = ['bin', 'src', 'migrations', 'docs', 'package.json', '.env.example'];

/** A copy of the code with the bug in it. */
export function plant(code: string, bug: PlantedBug): { folder: string; remove: () => Promise<void> } {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-planted-'));
  chmodSync(folder, 0o755);
  for (const part of parts) cpSync(path.join(code, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(code, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, bug.file), withBug(code, bug));
  return { folder, remove: async () => await rm(folder, { recursive: true, force: true }) };
}

/** The file with the bug in it. Throws when the code has changed since the bug was written down. */
export function withBug(code: string, { name, file, good, bad }: PlantedBug): string {
  const text = readFileSync(path.join(code, file), 'utf8');
  const count = text.split(good).length - 1;
  if (count !== 1) throw new Error(`'${name}' cannot be planted: ${file} has ${count} times: ${good}`);
  return text.replace(good, () => bad);
}
