import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { IdSequence } from '../base/ids.ts';
import type { Person } from '../base/personal-data.ts';
import type { Actor } from '../audit/index.ts';
import { denyPurposes } from '../consent/index.ts';
import { liftBlocking, suppressContacts } from '../restrictions/index.ts';
import { dropQueued } from '../events/index.ts';
import { mailsOf } from '../mails/index.ts';
import { answerBy } from './open-request.ts';
import { personOf } from './person.ts';
import { recordStep } from './record-step.ts';
import { lockRequest } from './requests.ts';
import { unstopped } from './stop-erasure.ts';

interface Decision {
  id: number;
  actor: Actor;
  now: Date;
}

type Locked = Awaited<ReturnType<typeof lockRequest>>;

/** Only what was verified and is not closed can be decided. */
async function lockUnclosed(tx: Queryable, instanceId: number, id: number): Promise<Locked> {
  const request = await lockRequest(tx, instanceId, id);
  if (request.status === 'unverified') throw new Problem('rights_request_unverified');
  if (request.status !== 'open') throw new Problem('rights_request_closed');
  return request;
}

/** And what is not being carried out. */
async function lockOpen(tx: Queryable, instanceId: number, id: number): Promise<Locked> {
  const request = await lockUnclosed(tx, instanceId, id);
  if (request.started_at !== null) throw new Problem('rights_request_running');
  return request;
}

/** Once, by 30 days from the day it was due. */
export async function extendRequest(
  tx: Queryable,
  instanceId: number,
  { id, reason, actor, now }: Decision & { reason: string },
): Promise<void> {
  const request = await lockOpen(tx, instanceId, id);
  if (request.extended_at !== null) throw new Problem('rights_request_extended_already');
  const due_at = answerBy(request.due_at);
  await tx.query(
    `update rights_requests set due_at = $3, extended_at = $4, extension_reason = $5, reminded_at = null
     where instance_id = $1 and id = $2`,
    [instanceId, id, due_at, now, reason],
  );
  const details = { due_at: due_at.toISOString() };
  await recordStep(tx, instanceId, { request, step: 'extended', actor, at: now, details });
}

export async function refuseRequest(
  tx: Queryable,
  instanceId: number,
  { id, ground, actor, now }: Decision & { ground: string },
): Promise<void> {
  const request = await lockOpen(tx, instanceId, id);
  await tx.query(
    `update rights_requests set status = 'refused', closed_at = $3, ground = $4 where instance_id = $1 and id = $2`,
    [instanceId, id, now, ground],
  );
  await recordStep(tx, instanceId, { request, step: 'refused', actor, at: now });
}

/**
 * Carries a request out. An erasure is only started here, or goes on after a stop: a job works through the data in batches and closes
 * the request when nothing is left.
 */
export async function fulfilRequest(
  tx: Queryable,
  instanceId: number,
  { id, resolution, actor, now }: Decision & { resolution: string | null },
): Promise<void> {
  const request = await lockUnclosed(tx, instanceId, id);
  const { kind, contact_hashes: hashes, started_at, stopped_at } = request;
  if (started_at !== null && stopped_at === null) throw new Problem('rights_request_running');
  if (kind === 'erasure') {
    await suppressContacts(tx, instanceId, { kind: 'erased', hashes, request_id: id, since: now });
    await tx.query(
      `update rights_requests set started_at = coalesce(started_at, $3), resolution = coalesce($4, resolution), ${unstopped}
       where instance_id = $1 and id = $2`,
      [instanceId, id, now, resolution],
    );
    const step = started_at === null ? 'started' : 'resumed';
    await recordStep(tx, instanceId, { request, step, actor, at: now });
    return;
  }
  if (kind === 'opposition') {
    await denyPurposes(tx, instanceId, {
      contacts: request.contacts,
      purpose_ids: request.purpose_ids,
      evidence: { actor: actorText(actor), reason: `rights_request:${id}` },
      at: now,
    });
  }
  if (kind === 'blocking') await dropWaiting(tx, await personOf(tx, instanceId, request.contacts), now);
  await tx.query(
    `update rights_requests set status = 'fulfilled', closed_at = $3, resolution = $4
     where instance_id = $1 and id = $2`,
    [instanceId, id, now, resolution],
  );
  await recordStep(tx, instanceId, { request, step: 'fulfilled', actor, at: now });
  if (kind !== 'blocking') return;
  await suppressContacts(tx, instanceId, { kind: 'blocked', hashes, request_id: id, since: now });
}

/** Mail that waits for its delivery. What is on its way at this moment arrives. */
async function dropWaiting(tx: Queryable, person: Person, at: Date): Promise<void> {
  const ids = new IdSequence();
  for await (const page of mailsOf(tx, person)) {
    await dropQueued(tx, ids, {
      instance_id: person.instance_id,
      mail_ids: page.map(({ mail_id }) => mail_id),
      reason: 'recipient_blocked',
      at,
    });
  }
}

function actorText({ kind, id }: Actor): string {
  return id === undefined ? kind : `${kind}:${id}`;
}

/**
 * Ends a blocking: the person is written to again, unless another request blocks them too. Blockings change under the lock of the
 * chain, which the receipt takes, so that each sees what became of the others.
 */
export async function liftRequest(
  tx: Queryable,
  instanceId: number,
  { id, actor, now }: Decision,
): Promise<void> {
  const request = await lockRequest(tx, instanceId, id);
  if (request.kind !== 'blocking' || request.status !== 'fulfilled' || request.lifted_at !== null) {
    throw new Problem('rights_request_not_blocking');
  }
  await recordStep(tx, instanceId, { request, step: 'lifted', actor, at: now });
  await tx.query('update rights_requests set lifted_at = $3 where instance_id = $1 and id = $2', [
    instanceId,
    id,
    now,
  ]);
  await liftBlocking(tx, instanceId, id);
  const others = await tx.query<{ id: number; hashes: Buffer[]; since: Date }>(
    `select id, contact_hashes as hashes, closed_at as since from rights_requests
     where instance_id = $1 and kind = 'blocking' and status = 'fulfilled' and lifted_at is null
       and contact_hashes && $2::bytea[] order by id`,
    [instanceId, request.contact_hashes],
  );
  for (const { id: request_id, hashes, since } of others) {
    await suppressContacts(tx, instanceId, { kind: 'blocked', hashes, request_id, since });
  }
}
