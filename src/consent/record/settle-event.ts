import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { linkAfter, lockChain } from '../chain/chain.ts';
import { announceConsents } from './announce-consents.ts';
import { boundEvidence, outcomeContent, type StoredOutcome } from './event-content.ts';

interface OneSettlement extends Pick<StoredOutcome, 'evidence' | 'at'> {
  id: number;
}

/** Confirms a double opt-in: its rules take effect. */
export async function confirmConsentEvent(
  tx: Queryable,
  instanceId: number,
  event: OneSettlement,
): Promise<void> {
  await settleOne(tx, instanceId, { ...event, status: 'confirmed' });
}

/** Expires an event that was not confirmed. */
export async function expireConsentEvent(
  tx: Queryable,
  instanceId: number,
  event: OneSettlement,
): Promise<void> {
  await settleOne(tx, instanceId, { ...event, status: 'expired' });
}

/** Expires those that are still pending and returns their ids. */
export async function expireConsentEvents(
  tx: Queryable,
  instanceId: number,
  { ids, at }: { ids: number[]; at: Date },
): Promise<number[]> {
  return await settle(tx, instanceId, { ids, status: 'expired', evidence: { actor: 'system' }, at });
}

async function settleOne(
  tx: Queryable,
  instanceId: number,
  { id, ...settlement }: OneSettlement & Pick<StoredOutcome, 'status'>,
): Promise<void> {
  const settled = await settle(tx, instanceId, { ids: [id], ...settlement });
  if (settled.length > 0) return;
  const [event] = await tx.query('select 1 from consent_events where instance_id = $1 and id = $2', [
    instanceId,
    id,
  ]);
  throw new Problem(event ? 'consent_event_not_pending' : 'consent_event_not_found');
}

interface Settlement extends Pick<StoredOutcome, 'status' | 'evidence' | 'at'> {
  ids: number[];
}

async function settle(
  tx: Queryable,
  instanceId: number,
  { ids, status, at, ...settlement }: Settlement,
): Promise<number[]> {
  const evidence = boundEvidence(settlement.evidence);
  let end = await lockChain(tx, instanceId);
  const waiting = await tx.query<{ id: number }>(
    `select e.id from consent_events e
     where e.instance_id = $1 and e.id = any ($2::bigint[]) and e.status = 'pending'
       and not exists (select from consent_event_outcomes o where o.event_id = e.id)
     order by e.id`,
    [instanceId, ids],
  );
  if (waiting.length === 0) return [];
  const links = waiting.map(({ id }) => {
    const link = linkAfter(
      end,
      outcomeContent({ event_id: id, instance_id: instanceId, status, evidence, at }),
    );
    end = link;
    return link;
  });
  await tx.query(
    `with outcomes as (
       insert into consent_event_outcomes (instance_id, status, at, evidence, event_id, sequence, previous_hash, hash)
       select $1, $2, $3, $4, event_id, sequence, decode(previous_hash, 'hex'), decode(hash, 'hex')
       from unnest($5::bigint[], $6::bigint[], $7::text[], $8::text[]) as settled (event_id, sequence, previous_hash, hash)
     )
     update consent_chains set sequence = $9, hash = $10 where instance_id = $1`,
    [
      instanceId,
      status,
      at,
      JSON.stringify(evidence),
      waiting.map(({ id }) => id),
      links.map(({ sequence }) => sequence),
      links.map(({ previous_hash }) => previous_hash.toString('hex')),
      links.map(({ hash }) => hash.toString('hex')),
      end.sequence,
      end.hash,
    ],
  );
  if (status === 'confirmed') await announceConsents(tx, instanceId, await withActions(tx, waiting, at));
  return waiting.map(({ id }) => id);
}

async function withActions(
  tx: Queryable,
  events: { id: number }[],
  at: Date,
): Promise<Parameters<typeof announceConsents>[2]> {
  const rules = await tx.query<{ event_id: number; action: 'allow' | 'deny' }>(
    'select distinct event_id, action from consent_rules where event_id = any ($1::bigint[])',
    [events.map(({ id }) => id)],
  );
  return events.map(({ id }) => ({ id, at, rules: rules.filter(({ event_id }) => event_id === id) }));
}
