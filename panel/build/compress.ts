import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The highest takes ten times as long and saves 3 %. */
const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/** Beside each file of text, the same as brotli and as gzip, so that serving one costs no compression. */
export function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const files = readdirSync(path.join(dir, 'assets')).filter((name) => /\.(?:js|css)$/.test(name));
      for (const name of files) {
        const file = path.join(dir, 'assets', name);
        const text = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params: quality }));
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}
