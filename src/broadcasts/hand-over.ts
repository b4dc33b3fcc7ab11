import type { Acceptance, BatchResult } from '../accept/index.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { announce } from '../announce/index.ts';
import type { ClaimedBroadcast } from './claim-broadcasts.ts';
import { finishedNotice } from './finished-notice.ts';
import { LeaseLost } from './lease-lost.ts';
import { draftTo, type Prepared, type Recipient } from './make-drafts.ts';

export interface HandOverContext {
  db: Database;
  acceptance: Pick<Acceptance, 'acceptManyWith'>;
}

/** A broadcast after a step, with what the next one needs. */
export type Progress = Pick<
  ClaimedBroadcast,
  'position' | 'accepted_count' | 'left_out' | 'recipient_count' | 'state'
>;

/** Recipients of one message (contract §6). Its content is stored once for all of them. */
const perMessage = 50;

export async function nextRecipients(
  db: Queryable,
  { id, position }: ClaimedBroadcast,
  count: number,
): Promise<Recipient[]> {
  return await db.query<Recipient & Record<string, unknown>>(
    `select position, contact from broadcast_recipients
     where broadcast_id = $1 and position > $2 and position <= $2 + $3::integer order by position`,
    [id, position, count],
  );
}

interface Batch {
  broadcast: ClaimedBroadcast;
  prepared: Prepared[];
  now: Date;
  /** When the next step is due. */
  next_at: Date;
}

/**
 * Hands a batch over: its mails and the new position are one commit, so a crash loses nobody and writes to nobody twice. Mails that
 * cannot be made for all of a message are tried one by one, and who refuses is left out with the reason.
 */
export async function handOver(context: HandOverContext, batch: Batch): Promise<Progress> {
  try {
    return await accept(context, batch, perMessage);
  } catch (error) {
    if (!(error instanceof Problem) || isOfAll(error)) throw error;
    return await accept(context, batch, 1);
  }
}

/** What stops every mail of the broadcast, now or until it is solved. */
const ofAll: ReadonlySet<string> = new Set([
  'domain_sender_not_verified',
  'mail_template_not_found',
  'plan_send_limit_exceeded',
  'rate_limit_exceeded',
  'request_too_large',
  'search_timeout',
  'sender_not_found',
  'service_unavailable',
  'subscription_inactive',
  'template_not_public',
]);

export function isOfAll({ code }: Problem): boolean {
  return ofAll.has(code);
}

async function accept(
  { db, acceptance }: HandOverContext,
  batch: Batch,
  perDraft: number,
): Promise<Progress> {
  const { broadcast, prepared } = batch;
  const people = prepared.flatMap((each) => ('to' in each ? [each] : []));
  const groups = chunksOf(people, perDraft);
  const drafts = groups.map((group) =>
    draftTo(
      broadcast,
      group.map(({ to }) => to),
    ),
  );
  const counts = new Counts(broadcast);
  for (const each of prepared) if ('refused' in each) counts.refuse(each, each.refused);
  const store = Promise.withResolvers<Progress>();
  await acceptance.acceptManyWith(
    { instance_id: broadcast.instance_id, drafts, all_or_none: perDraft > 1 },
    async (results, write) => {
      for (const [index, result] of results.entries()) counts.add(groups[index] ?? [], result);
      const progress = await db.transaction(async (tx) => {
        const moved = await move(tx, batch, counts);
        await write(tx);
        return moved;
      });
      store.resolve(progress);
    },
  );
  return await store.promise;
}

function chunksOf<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** What became of the recipients of a batch. */
class Counts {
  accepted: number;
  readonly left_out: Record<string, number>;
  readonly refused: { position: number; reason: string }[] = [];

  constructor({ accepted_count, left_out }: Progress) {
    this.accepted = accepted_count;
    this.left_out = { ...left_out };
  }

  refuse({ position }: Recipient, reason: string): void {
    this.refused.push({ position, reason });
    this.#leaveOut(reason, 1);
  }

  add(group: Recipient[], result: BatchResult): void {
    if (result instanceof Problem) {
      if (isOfAll(result)) throw result;
      for (const each of group)
        this.refuse(each, result.code === 'validation_error' ? 'cannot_be_made' : result.code);
      return;
    }
    const drops = [...(result.drops?.values() ?? [])];
    for (const reason of drops) this.#leaveOut(reason, 1);
    this.accepted += group.length - drops.length;
  }

  #leaveOut(reason: string, count: number): void {
    this.left_out[reason] = (this.left_out[reason] ?? 0) + count;
  }
}

async function move(
  tx: Queryable,
  { broadcast, prepared, now, next_at }: Batch,
  { accepted, left_out, refused }: Counts,
): Promise<Progress> {
  const position = prepared.at(-1)?.position ?? broadcast.position;
  const [moved] = await tx.query<Progress & Record<string, unknown>>(
    `update broadcasts set position = $4, accepted_count = $5, left_out = $6,
       state = case when $4 = recipient_count then 'sent' else state end,
       finished_at = case when $4 = recipient_count then $7::timestamptz end,
       due_at = case when $4 < recipient_count then $8::timestamptz end
     where id = $1 and lease = $2 and position = $3 and state = 'sending'
     returning position, accepted_count, left_out, recipient_count, state`,
    [
      broadcast.id,
      broadcast.lease,
      broadcast.position,
      position,
      accepted,
      JSON.stringify(left_out),
      now,
      next_at,
    ],
  );
  if (!moved) throw new LeaseLost();
  await tx.query(
    `update broadcast_recipients p set refused = r.reason from unnest($2::integer[], $3::text[]) as r (position, reason)
     where p.broadcast_id = $1 and p.position = r.position`,
    [broadcast.id, refused.map((each) => each.position), refused.map(({ reason }) => reason)],
  );
  if (moved.state === 'sent') await announce(tx, [finishedNotice({ ...broadcast, ...moved })], now);
  return moved;
}
