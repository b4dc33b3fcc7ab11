import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

type Chunk = Rolldown.OutputChunk;

/** Where people arrive when they open the panel. */
const firstPage = 'pages/overview/page.tsx';
const firstMessages = 'first-messages-';
/** Loaded after the page around them is shown. */
const isEditor = /\/editor\//;

interface Limits {
  first_kb: number;
  page_kb: number;
  editor_kb: number;
}

/**
 * Fails the build where people would wait: what the first page loads before it shows anything, and what each further page
 * or part adds to it, in gzip.
 */
export function checkSizes({ first_kb, page_kb, editor_kb }: Limits): Plugin {
  return {
    name: 'check-sizes',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((each) =>
          each.type === 'chunk' ? [[each.fileName, each] as const] : [],
        ),
      );
      const entry = [...chunks.values()].find(({ isEntry, name }) => isEntry && name === 'panel');
      const landing = [...chunks.values()].find((chunk) => nameOf(chunk) === firstPage);
      if (!entry || !landing) throw new Error('The build has no entry named panel, or no first page.');
      const seen = new Set<string>();
      const messages = [...chunks.values()].filter(({ name }) => name.startsWith(firstMessages));
      if (messages.length === 0) throw new Error('The build has no messages of the first page.');
      // Of one language: the one that takes the most.
      const said = messages.toSorted((a, b) => sizeOf([b]) - sizeOf([a])).slice(0, 1);
      const first = [...withImports(entry, chunks, seen), ...withImports(landing, chunks, seen), ...said];
      for (const chunk of chunks.values()) {
        const own = languagesIn([chunk]);
        const loaded = languagesIn(withImports(chunk, chunks));
        if (loaded.length > 1 || loaded.length > own.length) {
          throw new Error(`${nameOf(chunk)} brings words in ${loaded.join(', ')} for all readers.`);
        }
      }
      const sizes = [...chunks.values()]
        .filter(({ isDynamicEntry }) => isDynamicEntry)
        .map((chunk) => {
          const added = withImports(chunk, chunks).filter((each) => !first.includes(each));
          const name = nameOf(chunk);
          return { name, kb: sizeOf(added), limit: isEditor.test(name) ? editor_kb : page_kb };
        });
      sizes.push({ name: 'first load', kb: sizeOf(first), limit: first_kb });
      const tooLarge = sizes.filter(({ kb, limit }) => kb > limit);
      if (tooLarge.length > 0) {
        const lines = tooLarge.map(({ name, kb, limit }) => `${name}: ${kb} KB of ${limit} KB`);
        throw new Error(`Too much script (gzip):\n${lines.join('\n')}`);
      }
      const largest = sizes.toSorted((a, b) => b.kb - a.kb).find(({ limit }) => limit === page_kb);
      this.info(
        `script, gzip: first load ${sizeOf(first)} KB, largest page ${largest?.name} ${largest?.kb} KB`,
      );
    },
  };
}

function withImports(chunk: Chunk, chunks: Map<string, Chunk>, seen = new Set<string>()): Chunk[] {
  if (seen.has(chunk.fileName)) return [];
  seen.add(chunk.fileName);
  const imported = chunk.imports.flatMap((name) => chunks.get(name) ?? []);
  return [chunk, ...imported.flatMap((each) => withImports(each, chunks, seen))];
}

function sizeOf(chunks: Chunk[]): number {
  return Math.round(chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0) / 1024);
}

/** In which languages something is said there. */
function languagesIn(chunks: Chunk[]): string[] {
  const files = chunks.flatMap(({ modules, facadeModuleId }) => [
    ...Object.keys(modules),
    facadeModuleId ?? '',
  ]);
  return [...new Set(files.flatMap((file) => /\/messages\/([a-z]+)\//.exec(file)?.[1] ?? []))];
}

function nameOf({ facadeModuleId, fileName }: Chunk): string {
  return facadeModuleId?.split('/panel/src/')[1] ?? fileName;
}
