import { createHash } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Content } from '../record/event-content.ts';

/** The place of a row in its instance's chain. */
export interface Link {
  sequence: number;
  previous_hash: Buffer;
  hash: Buffer;
}

/** Where a chain ends, or begins: before the first row there are 32 zero bytes. */
export interface ChainEnd {
  sequence: number;
  hash: Buffer;
}

export const chain_start: ChainEnd = { sequence: 0, hash: Buffer.alloc(32) };

/** What is hashed: the canonical form of what a row says, with its place in the chain and the hash of the row before. */
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
 * Makes the transaction the only one that adds to the instance's chain, until it is over. What it adds later it reads
 * identifiers for later too, so that within an instance they grow in the order of the chain.
 */
export async function lockChain(tx: Queryable, instanceId: number): Promise<ChainEnd> {
  const [end] = await tx.query<ChainEnd & Record<string, unknown>>(
    `insert into consent_chains (instance_id) values ($1)
     on conflict (instance_id) do update set instance_id = excluded.instance_id returning sequence, hash`,
    [instanceId],
  );
  return end as ChainEnd;
}
