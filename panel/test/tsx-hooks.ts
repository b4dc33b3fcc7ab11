import { readFile } from 'node:fs/promises';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

/** Node strips types and knows no JSX; class names are as good as any. */
export const load: LoadHook = async (url, context, next) => {
  const [file = ''] = url.split('?');
  if (file.endsWith('.module.css')) {
    const source = 'export default new Proxy({}, { get: (_target, name) => String(name) });';
    return { format: 'module', source, shortCircuit: true };
  }
  if (file.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true };
  if (!file.endsWith('.tsx')) return await next(url, context);
  const name = fileURLToPath(file);
  const { code } = await transformWithOxc(await readFile(name, 'utf8'), name, {
    lang: 'tsx',
    jsx: { runtime: 'automatic' },
    sourcemap: false,
  });
  return { format: 'module', source: code, shortCircuit: true };
};
