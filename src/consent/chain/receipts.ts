import type { Queryable } from '../../base/db/database.ts';
import type { Json } from './canonical-json.ts';
import { linkAfter, lockChain } from './chain.ts';
import type { Content } from '../record/event-content.ts';

/** An act that has to be provable and is not a consent. It contains no names. */
export interface NewReceipt {
  /** What it is about: `rights_request`. */
  subject: string;
  subject_id: number;
  /** What was done: `received`. */
  step: string;
  content: { [name: string]: Json };
  at: Date;
}

export interface StoredReceipt extends NewReceipt {
  id: number;
  instance_id: number;
}

export interface Receipt {
  step: string;
  at: Date;
  sequence: number;
  hash: string;
}

export function receiptContent(receipt: StoredReceipt): Content {
  return {
    kind: 'receipt',
    id: receipt.id,
    instance_id: receipt.instance_id,
    subject: receipt.subject,
    subject_id: receipt.subject_id,
    step: receipt.step,
    content: receipt.content,
    at: receipt.at.toISOString(),
  };
}

/** Adds a receipt to the chain of the evidence, which it locks until the commit: call it late in the transaction. */
export async function recordReceipt(tx: Queryable, instanceId: number, given: NewReceipt): Promise<Receipt> {
  const end = await lockChain(tx, instanceId);
  const [taken] = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('consent_receipts', 'id')) as id`,
  );
  const receipt = { ...given, id: taken?.id as number, instance_id: instanceId };
  const link = linkAfter(end, receiptContent(receipt));
  await tx.query(
    `with added as (
       insert into consent_receipts (id, instance_id, subject, subject_id, step, content, at, sequence, previous_hash, hash)
       overriding system value values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)
     )
     update consent_chains set sequence = $8, hash = $10 where instance_id = $1`,
    [
      instanceId,
      receipt.id,
      receipt.subject,
      receipt.subject_id,
      receipt.step,
      JSON.stringify(receipt.content),
      receipt.at,
      link.sequence,
      link.previous_hash,
      link.hash,
    ],
  );
  return { step: receipt.step, at: receipt.at, sequence: link.sequence, hash: link.hash.toString('hex') };
}

/** Oldest first. */
export async function listReceipts(
  db: Queryable,
  instanceId: number,
  { subject, subject_id }: Pick<NewReceipt, 'subject' | 'subject_id'>,
): Promise<Receipt[]> {
  return await db.query<Receipt & Record<string, unknown>>(
    `select step, at, sequence, encode(hash, 'hex') as hash from consent_receipts
     where instance_id = $1 and subject = $2 and subject_id = $3 order by id limit 100`,
    [instanceId, subject, subject_id],
  );
}
