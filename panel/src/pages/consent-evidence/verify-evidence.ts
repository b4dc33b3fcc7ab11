import type { ConsentEvidence } from '../../api/operations.ts';

type Event = ConsentEvidence['events'][number];
type Row = Event | NonNullable<Event['outcome']>;

export interface Verification {
  /** Rows and texts whose hash was computed anew. */
  rows: number;
  texts: number;
  /** Events that are not what was hashed, or whose text is not. */
  wrong: number[];
}

/** Browsers have SHA-256 on encrypted connections and on this machine alone. */
export const canVerify = (): boolean => 'subtle' in globalThis.crypto;

/**
 * Computes every hash of a document again from the text it was made of, and compares what the document says with that
 * text. It trusts nothing that the service concluded (docs/consent.md, "How tampering is found").
 */
export async function verifyEvidence({ events, terms }: ConsentEvidence): Promise<Verification> {
  const versions = terms.flatMap((term) => term.versions);
  const hashes = new Map(
    await Promise.all(versions.map(async ({ id, body }) => [id, await sha256(body)] as const)),
  );
  const wrong: number[] = [];
  for (const event of events) {
    const isGood =
      (await isHashed(event)) &&
      saysTheSame(event) &&
      contentOf(event)['text_sha256'] === hashes.get(event.term_version_id) &&
      (event.outcome === null || ((await isHashed(event.outcome)) && outcomeSaysTheSame(event)));
    if (!isGood) wrong.push(event.id);
  }
  const rows = events.length + events.filter(({ outcome }) => outcome !== null).length;
  return { rows, texts: versions.length, wrong };
}

async function isHashed(row: Row): Promise<boolean> {
  const { sequence, previous_hash } = contentOf(row);
  return (
    (await sha256(row.hashed)) === row.hash &&
    sequence === row.sequence &&
    previous_hash === row.previous_hash
  );
}

const contentOf = ({ hashed }: Row): Record<string, unknown> => JSON.parse(hashed) as Record<string, unknown>;

function saysTheSame(event: Event): boolean {
  const { id, term_id, term_version_id, method, source, created_at, evidence, rules } = event;
  const content = contentOf(event) as Partial<Event>;
  const spoken = content.rules?.map((rule) => pick(rule, Object.keys(rules[0] ?? {})));
  return isEqual(
    { id, term_id, term_version_id, method, source, created_at, evidence, rules },
    {
      ...pick(content, ['id', 'term_id', 'term_version_id', 'method', 'source', 'created_at', 'evidence']),
      rules: spoken,
    },
  );
}

function outcomeSaysTheSame({ id, outcome }: Event): boolean {
  if (!outcome) return true;
  const { status, at, evidence } = outcome;
  const content = contentOf(outcome);
  return isEqual(
    { event_id: id, status, at, evidence },
    pick(content, ['event_id', 'status', 'at', 'evidence']),
  );
}

function pick(from: object, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)[name]]));
}

/** Whatever the order of their members. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => [name, sorted(each)]);
}

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
