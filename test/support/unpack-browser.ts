import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const wanted = 'chromium-headless-shell';
const stepMs = 120_000;
const tries = 3;

interface Unpacked {
  path: string;
  library_path: string;
}

/**
 * Debian's headless browser with the libraries that this machine lacks, fetched and unpacked into a folder, as root or
 * not, with nothing installed. Takes some ten seconds once; afterwards the folder is there.
 */
export async function unpackBrowser(folder: string, aptOptions: string[] = []): Promise<Unpacked> {
  if (!existsSync(folder)) {
    const partial = `${folder}.${process.pid}`;
    try {
      await fill(partial, aptOptions);
      // Others may have been faster; what they made is as good.
      await rename(partial, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  const [executable] = globSync(`usr/lib/chromium*/${wanted}`, { cwd: folder });
  if (!executable) throw new Error(`${folder} has no ${wanted}; delete it`);
  // One of its libraries is in a folder of its own.
  const libraries = globSync(
    ['usr/lib/*-linux-gnu*', 'usr/lib/*-linux-gnu*/pulseaudio', 'lib/*-linux-gnu*'],
    {
      cwd: folder,
    },
  );
  return {
    path: path.join(folder, executable),
    library_path: libraries.map((each) => path.join(folder, each)).join(path.delimiter),
  };
}

async function fill(folder: string, aptOptions: string[]): Promise<void> {
  const lists = path.join(folder, 'apt/lists');
  await mkdir(path.join(lists, 'partial'), { recursive: true });
  await mkdir(path.join(folder, 'debs'));
  // Lists of our own: the machine's may be empty or old, and only root could renew them.
  const options = [
    ...aptOptions,
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${path.join(folder, 'apt')}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=root',
    'Acquire::Retries=3',
    'Acquire::http::Timeout=20',
  ];
  const apt = async (...words: string[]): Promise<string> => {
    const args = [...options.flatMap((option) => ['-o', option]), ...words];
    const { stdout } = await run('apt-get', args, { cwd: path.join(folder, 'debs'), timeout: stepMs });
    return stdout;
  };
  await persistently(async () => await apt('update'));
  const planned = await apt('install', '--print-uris', '--yes', '--no-install-recommends', wanted);
  // 'http://…' chromium-headless-shell_156.0-1_amd64.deb 64043120 SHA256:…
  const missing = [...planned.matchAll(/^'[^']+' ([^_\s]+)_/gm)].map(([, name = '']) => name);
  await persistently(async () => await apt('download', ...new Set([wanted, ...missing])));
  for (const file of await readdir(path.join(folder, 'debs'))) {
    await run('dpkg-deb', ['-x', path.join(folder, 'debs', file), folder], { timeout: stepMs });
  }
  for (const used of ['debs', 'apt']) await rm(path.join(folder, used), { recursive: true, force: true });
}

/** Mirrors fail sometimes. */
async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}
