import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { NewRestriction, Restriction } from './suppression-schemas.ts';
import { maxDetailCharacters } from './suppression.ts';

const object = (id: number) => ({ kind: 'mail_restriction', id: String(id) });

/** From now on no sender of the instance sends to the address. */
export async function addRestriction(
  tx: Queryable,
  instanceId: number,
  { restriction, actor }: { restriction: NewRestriction; actor: Actor },
): Promise<Restriction> {
  const recipient = canonicalAddress(restriction.recipient)?.address;
  if (recipient === undefined) {
    const message = 'This is not a valid email address';
    throw validationProblem([{ pointer: '/recipient', code: 'value_error.email', message }]);
  }
  const detail = boundedText(restriction.detail, maxDetailCharacters);
  const [row] = await tx.query<Restriction>(
    `insert into restrictions (instance_id, recipient, reason, detail) values ($1, $2, 'manual', $3)
     on conflict (instance_id, recipient_key) do nothing
     returning id, recipient, reason, mail_id, detail, created_at`,
    [instanceId, recipient, detail],
  );
  if (!row) throw new Problem('mail_restriction_already_exists');
  const details = { recipient, detail };
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'mail_restriction.created',
    object: object(row.id),
    details,
  });
  return row;
}

interface Removal {
  /** By id, or by address, case-insensitively. */
  restriction: { id: number } | { recipient: string };
  actor: Actor;
}

/** The address can be sent to again; mail dropped meanwhile stays dropped. */
export async function removeRestriction(
  tx: Queryable,
  instanceId: number,
  { restriction, actor }: Removal,
): Promise<{ id: number; recipient: string }> {
  const [condition, value] =
    'id' in restriction
      ? ['id = $2', restriction.id]
      : [`recipient_key = ${addressKey('$2')}`, canonical(restriction.recipient)];
  const [row] = await tx.query<Pick<Restriction, 'id' | 'recipient' | 'reason' | 'mail_id' | 'detail'>>(
    `delete from restrictions where instance_id = $1 and ${condition}
     returning id, recipient, reason, mail_id, detail`,
    [instanceId, value],
  );
  if (!row) throw new Problem('mail_restriction_not_found');
  const { id, ...details } = row;
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'mail_restriction.deleted',
    object: object(id),
    details,
  });
  return { id, recipient: row.recipient };
}

function canonical(address: string): string {
  return canonicalAddress(address)?.address ?? address;
}
