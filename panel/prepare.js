// Builds the panel after an install. Without the development dependencies there is nothing to build it with: a production
// install serves the files that were built before, and the service starts without them too.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const vite = at('../node_modules/vite/bin/vite.js');

if (existsSync(vite)) {
  const words = [vite, 'build', '--config', at('vite.config.ts'), '--logLevel', 'warn'];
  execFileSync(process.execPath, words, { stdio: 'inherit' });
} else if (!existsSync(at('dist/index.html'))) {
  process.stderr.write('chasqui: the panel is not built; `npm ci && npm run panel:build` builds it.\n');
}
