import { isLost, type ReleaseLeases } from '../base/engine/node.ts';

/**
 * One scan of the pending deliveries, which only happens when a node died or a claim failed. The attempt of a dead node counts,
 * since it may have reached its endpoint; that of a claim whose answer was lost never began.
 */
const release = `
  update webhook_deliveries set lease = null, leased_until = null,
    attempts = attempts - case when lease = any ($2::uuid[]) then 1 else 0 end
  where due_at is not null and ${isLost('lease')}
  returning 1`;

export const releaseDeliveryLeases: ReleaseLeases = async (tx, { nodes, leases }) =>
  (await tx.query(release, [nodes, leases])).length;
