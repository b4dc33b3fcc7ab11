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
  replaceOnce(path.join(folder, bug.file), bug);
  return { folder, remove: async () => await rm(folder, { recursive: true, force: true }) };
}

/** The code may have changed since the bug was written down: then it has to be written down anew. */
function replaceOnce(file: string, { name, good, bad }: PlantedBug): void {
  const text = readFileSync(file, 'utf8');
  const count = text.split(good).length - 1;
  if (count !== 1) throw new Error(`'${name}' cannot be planted: ${file} has ${count} times: ${good}`);
  writeFileSync(
    file,
    text.replace(good, () => bad),
  );
}
