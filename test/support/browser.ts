import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { unpackBrowser } from './unpack-browser.ts';

interface Executable {
  path: string;
  /** Where its libraries are, when they are not the machine's own. */
  library_path?: string;
}

const names = ['chromium', 'chromium-headless-shell', 'google-chrome', 'google-chrome-stable'];

/**
 * A browser for tests: the one that CHROMIUM_PATH names, else one on the PATH, else Debian's, unpacked below node_modules
 * without being installed. Undefined, with the reason, when none can be had.
 */
export async function launchBrowser(): Promise<{ browser: Browser } | { missing: string }> {
  const found = await findExecutable();
  if ('missing' in found) return found;
  const env = { ...process.env, ...(found.library_path ? { LD_LIBRARY_PATH: found.library_path } : {}) };
  // Its own sandbox works neither as root nor in most containers; it opens only our own pages.
  const browser = await chromium.launch({
    executablePath: found.path,
    chromiumSandbox: false,
    timeout: 60_000,
    env,
  });
  return { browser };
}

async function findExecutable(): Promise<Executable | { missing: string }> {
  const named = process.env['CHROMIUM_PATH'];
  if (named)
    return existsSync(named)
      ? { path: named }
      : { missing: `CHROMIUM_PATH is ${named}, which does not exist` };
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const installed = names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file));
  if (installed) return { path: installed };
  const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/chasqui-browser');
  return await unpackBrowser(cache).catch((error: unknown) => ({
    missing: `there is no browser on the PATH, and none could be unpacked: ${(error as Error).message}`,
  }));
}
