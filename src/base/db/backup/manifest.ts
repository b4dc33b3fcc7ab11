import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

export const formatName = 'chasqui-backup';
/** Of the files that this code writes; docs/backup.md describes it. */
export const formatVersion = 1;

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });

const Table = Type.Object({
  name: Name,
  /** The partitioned table that it is a month of. */
  parent: Type.Union([Name, Type.Null()]),
  columns: Type.Array(Name, { minItems: 1, maxItems: 1600 }),
});

const Manifest = Type.Object({
  format: Type.Literal(formatName),
  version: Type.Literal(formatVersion),
  /** Of the code that made it. */
  chasqui: Type.String({ maxLength: 100 }),
  made_at: Type.String({ maxLength: 100 }),
  postgres: Type.String({ maxLength: 100 }),
  /** Of the root secret that keys in the data are encrypted with; null when no service has run yet. */
  secret_fingerprint: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
  migrations: Type.Array(
    Type.Object({ name: Type.String({ maxLength: 200 }), checksum: Type.String({ maxLength: 64 }) }),
    { maxItems: 10_000 },
  ),
  tables: Type.Array(Table, { maxItems: 20_000 }),
  /** Last values that were given out. */
  sequences: Type.Array(Type.Object({ name: Name, value: Type.Integer({ minimum: 1 }) }), {
    maxItems: 10_000,
  }),
});

export type Manifest = Static<typeof Manifest>;
export type BackedUpTable = Static<typeof Table>;

export function parseManifest(bytes: Buffer): Manifest {
  const value = parseJson(bytes) as { format?: unknown; version?: unknown } | null;
  if (typeof value !== 'object' || value?.format !== formatName) {
    throw new Error('This is not a backup of Chasqui.');
  }
  if (value.version !== formatVersion) {
    throw new Error(
      `The backup has format ${String(value.version).slice(0, 20)} and this version reads only format ${formatVersion}: ` +
        'restore it with the version that made it.',
    );
  }
  if (!Value.Check(Manifest, value)) throw new Error('The manifest of the backup is damaged.');
  return value;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `data/mails_2026_11/000001.copy.zst`. */
export function partName(table: string, part: number): string {
  return `data/${table}/${String(part).padStart(6, '0')}.copy.zst`;
}

export function tableOfPart(name: string): string | undefined {
  return /^data\/([a-z0-9_]+)\/\d{6,}\.copy\.zst$/.exec(name)?.[1];
}

export const manifestName = 'manifest.json';
export const summaryName = 'summary.json';
export const secretName = 'secret';
export const checksumsName = 'SHA256SUMS';
