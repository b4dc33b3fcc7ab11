import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EncodedBodies } from '../base/http/encoded-body.ts';

export interface BuiltFile {
  content_type: string;
  bodies: EncodedBodies;
  /** Its name has a hash of its content: what it is called never changes. */
  is_immutable: boolean;
}

export interface BuiltPanel {
  /** The page that all addresses of the panel lead to. */
  index: string;
  files: ReadonlyMap<string, BuiltFile>;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** What the build of the panel left, 2 MB in all; undefined where it was not built. */
export function readBuiltPanel(folder: string): BuiltPanel | undefined {
  const entries = listFiles(folder);
  const files = new Map<string, BuiltFile>();
  for (const name of entries) {
    const content_type = types[path.extname(name)];
    if (content_type === undefined) continue;
    const bodies: BuiltFile['bodies'] = { identity: readFileSync(path.join(folder, name)) };
    if (entries.includes(`${name}.br`)) bodies.br = readFileSync(path.join(folder, `${name}.br`));
    if (entries.includes(`${name}.gz`)) bodies.gzip = readFileSync(path.join(folder, `${name}.gz`));
    files.set(name, { content_type, bodies, is_immutable: name.startsWith('assets/') });
  }
  const index = files.get('index.html')?.bodies.identity?.toString('utf8');
  return index === undefined ? undefined : { index, files };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
