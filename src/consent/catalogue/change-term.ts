import type { Queryable } from '../../base/db/database.ts';
import { requireFreeExternalId } from '../../base/db/external-id.ts';
import { Problem, validationProblem, type Violation } from '../../base/errors/problem.ts';
import { type Actor, auditOf } from '../../audit/index.ts';
import type { ConsentTerm, ConsentTermChanges, NewConsentTerm } from './term-schemas.ts';
import { getTerm, lockTerm } from './terms.ts';

export const auditTerm = auditOf('consent_term');

/** A term takes no consent until one of its versions is current. */
export async function createTerm(
  tx: Queryable,
  instanceId: number,
  { term, actor }: { term: NewConsentTerm; actor: Actor },
): Promise<ConsentTerm> {
  const purpose_ids = [...new Set(term.purpose_ids)];
  const channels = [...new Set(term.channels)];
  if (purpose_ids.length === 0 || channels.length === 0) {
    throw new Problem('consent_term_missing_channels_or_purposes');
  }
  const violations = await validatePurposes(tx, instanceId, term.purpose_ids ?? []);
  if (violations.length > 0) throw validationProblem(violations);
  const { external_id = null } = term;
  await requireFreeExternalId(tx, instanceId, { table: 'consent_terms', external_id });
  const [row] = await tx.query<{ id: number }>(
    `insert into consent_terms (instance_id, name, type, channels, external_id) values ($1, $2, $3, $4, $5)
     returning id`,
    [instanceId, term.name, term.type, channels, external_id],
  );
  const { id } = row as { id: number };
  await tx.query('insert into consent_term_purposes (term_id, purpose_id) select $1, unnest($2::bigint[])', [
    id,
    purpose_ids,
  ]);
  const details = { name: term.name, type: term.type, purpose_ids, channels, external_id };
  await auditTerm(tx, instanceId, { action: 'created', id, actor, details });
  return await getTerm(tx, instanceId, id);
}

/**
 * Consents name their channels, so a change of channels affects new consents only. Purposes and published texts are
 * what was agreed to and never change. A change without effect is not audited.
 */
export async function updateTerm(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: { id: number; changes: ConsentTermChanges; actor: Actor },
): Promise<ConsentTerm> {
  await lockTerm(tx, instanceId, id);
  if (changes.channels?.length === 0) throw new Problem('consent_term_missing_channels_or_purposes');
  const present = await getTerm(tx, instanceId, id);
  const { name, is_active, external_id } = { ...present, ...changes };
  await requireFreeExternalId(tx, instanceId, { table: 'consent_terms', external_id, of: id });
  const channels = [...new Set(changes.channels ?? present.channels)];
  const changed = await tx.query(
    `update consent_terms set name = $2, is_active = $3, channels = $4, external_id = $5, updated_at = now()
     where id = $1 and (name, is_active, channels, external_id) is distinct from ($2, $3, $4::text[], $5) returning id`,
    [id, name, is_active, channels, external_id],
  );
  if (changed.length === 0) return present;
  const { name: oldName, is_active: wasActive, channels: oldChannels } = present;
  const before = { name: oldName, is_active: wasActive, channels: oldChannels };
  const after = { name, is_active, channels };
  await auditTerm(tx, instanceId, { action: 'updated', id, actor, details: { before, after } });
  return await getTerm(tx, instanceId, id);
}

async function validatePurposes(tx: Queryable, instanceId: number, wanted: number[]): Promise<Violation[]> {
  const found = await tx.query<{ id: number; is_enabled: boolean }>(
    'select id, is_enabled from consent_purposes where instance_id = $1 and id = any($2) for key share',
    [instanceId, wanted],
  );
  const enabled = new Map(found.map(({ id, is_enabled }) => [id, is_enabled]));
  return wanted.flatMap((id, index) => {
    if (enabled.get(id)) return [];
    const [code, message] = enabled.has(id)
      ? ['value_error.purpose_disabled', 'This purpose is disabled']
      : ['value_error.purpose', 'There is no such purpose'];
    return [{ pointer: `/purpose_ids/${index}`, code, message }];
  });
}
