// Builds dist/: npm runs it before the package is packed, and where it is installed from a folder or from git.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
// This package's own, or the one of the repository around it.
const findCompiler = () =>
  ['node_modules', '../../node_modules'].map((each) => at(`${each}/typescript/bin/tsc`)).find(existsSync);

if (findCompiler() === undefined) {
  const words = [
    'install',
    '--ignore-scripts',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--include=dev',
  ];
  execFileSync('npm', words, { cwd: at('.'), stdio: 'inherit', shell: process.platform === 'win32' });
}
execFileSync(process.execPath, [findCompiler(), '-p', at('tsconfig.build.json')], { stdio: 'inherit' });
