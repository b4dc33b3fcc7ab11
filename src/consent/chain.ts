import { createHash } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { canonicalJson, type Json } from './canonical-json.ts';

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

/** SHA-256 of the canonical form of what a row says, its place in the chain and the hash of the row before included. */
export function hashOf(content: { [name: string]: Json }, end: ChainEnd): Buffer {
  const linked = { ...content, sequence: end.sequence + 1, previous_hash: end.hash.toString('hex') };
  return createHash('sha256').update(canonicalJson(linked)).digest();
}

export function linkAfter(end: ChainEnd, content: { [name: string]: Json }): Link {
  return { sequence: end.sequence + 1, previous_hash: end.hash, hash: hashOf(content, end) };
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
