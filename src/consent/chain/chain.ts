import { createHash } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Content } from '../record/event-content.ts';

/** Position of a row in the chain of its instance. */
export interface Link {
  sequence: number;
  previous_hash: Buffer;
  hash: Buffer;
}

/** The last row of a chain. Before the first row the hash is 32 zero bytes. */
export interface ChainEnd {
  sequence: number;
  hash: Buffer;
}

export const chainStart: ChainEnd = { sequence: 0, hash: Buffer.alloc(32) };

/** `SEQUENCE:HASH`, as a check prints the end of a chain. */
export const anchorPattern = String.raw`^\s*(\d{1,15}):([0-9a-fA-F]{64})\s*$`;

export function readAnchor(text: string): ChainEnd | undefined {
  const [, sequence, hash] = new RegExp(anchorPattern).exec(text) ?? [];
  return sequence && hash ? { sequence: Number(sequence), hash: Buffer.from(hash, 'hex') } : undefined;
}

/** What is hashed: the canonical content of a row, its sequence number and the hash of the row before. */
export function hashedText(content: Content, { sequence, previous_hash }: Omit<Link, 'hash'>): string {
  return canonicalJson({ ...content, sequence, previous_hash: previous_hash.toString('hex') });
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function linkAfter(end: ChainEnd, content: Content): Link {
  const place = { sequence: end.sequence + 1, previous_hash: end.hash };
  return { ...place, hash: hashOf(hashedText(content, place)) };
}

/**
 * Locks the chain of an instance until the transaction ends. Ids are taken under the lock, so that within an instance
 * they follow the order of the chain.
 */
export async function lockChain(tx: Queryable, instanceId: number): Promise<ChainEnd> {
  const [end] = await tx.query<ChainEnd & Record<string, unknown>>(
    `insert into consent_chains (instance_id) values ($1)
     on conflict (instance_id) do update set instance_id = excluded.instance_id returning sequence, hash`,
    [instanceId],
  );
  return end as ChainEnd;
}
