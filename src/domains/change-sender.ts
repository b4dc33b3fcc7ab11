import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { NewSender, Sender, SenderChanges } from './sender-schemas.ts';
import { getSender, senderColumns } from './senders.ts';

const audit = auditOf('sender');

/** The domain of the address must be a verified domain of the instance. */
export async function createSender(
  tx: Queryable,
  instanceId: number,
  { sender, actor }: { sender: NewSender; actor: Actor },
): Promise<Sender> {
  const address = canonicalAddress(sender.email_address);
  const violations = await validateConsent(tx, instanceId, sender);
  if (!address || address.is_utf8) {
    violations.unshift({
      pointer: '/email_address',
      code: 'value_error.email',
      message: 'This is not an email address in ASCII',
    });
  }
  if (violations.length > 0 || !address) throw validationProblem(violations);
  const { external_id = null } = sender;
  await requireFreeExternalId(tx, instanceId, { table: 'senders', external_id });
  const domain_id = await requireVerifiedDomain(tx, instanceId, address.domain);
  const [row] = await tx.query<Sender>(
    `insert into senders (instance_id, domain_id, name, email_address, stream, requires_consent, consent_purpose_id,
       track_opens, track_clicks, external_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${senderColumns}`,
    [
      instanceId,
      domain_id,
      sender.name,
      address.address,
      sender.stream ?? 'transactional',
      sender.requires_consent ?? false,
      sender.consent_purpose_id ?? null,
      sender.track_opens ?? true,
      sender.track_clicks ?? true,
      external_id,
    ],
  );
  const created = row as Sender;
  await audit(tx, instanceId, { action: 'created', id: created.id, actor, details: { ...sender } });
  return created;
}

/** The address is immutable, since past mail is reported under it. */
export async function updateSender(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: { id: number; changes: SenderChanges; actor: Actor },
): Promise<Sender> {
  const present = await getSender(tx, instanceId, id);
  const { name, stream, requires_consent, consent_purpose_id, track_opens, track_clicks, external_id } = {
    ...present,
    ...changes,
  };
  const violations = await validateConsent(tx, instanceId, { requires_consent, consent_purpose_id });
  if (violations.length > 0) throw validationProblem(violations);
  await requireFreeExternalId(tx, instanceId, { table: 'senders', external_id, of: id });
  const [row] = await tx.query<Sender>(
    `update senders set name = $2, stream = $3, requires_consent = $4, consent_purpose_id = $5, track_opens = $6,
       track_clicks = $7, external_id = $8, updated_at = now()
     where id = $1 returning ${senderColumns}`,
    [id, name, stream, requires_consent, consent_purpose_id, track_opens, track_clicks, external_id],
  );
  await audit(tx, instanceId, { action: 'updated', id, actor, details: { ...changes } });
  return row as Sender;
}

export async function deleteSender(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const { email_address, domain_id } = await getSender(tx, instanceId, id);
  await leaveDefault(tx, { id, domain_id });
  await tx.query('update senders set deleted_at = now(), updated_at = now() where id = $1', [id]);
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { email_address } });
}

/** The lock is that of a change of the domain. */
async function leaveDefault(
  tx: Queryable,
  { id, domain_id }: Pick<Sender, 'id' | 'domain_id'>,
): Promise<void> {
  const [domain] = await tx.query<{ any_sender: boolean; default_sender_id: number | null }>(
    'select any_sender, default_sender_id from domains where id = $1 for update',
    [domain_id],
  );
  if (domain?.default_sender_id !== id) return;
  if (domain.any_sender) throw new Problem('sender_is_default');
  await tx.query('update domains set default_sender_id = null where id = $1', [domain_id]);
}

async function requireVerifiedDomain(tx: Queryable, instanceId: number, domain: string): Promise<number> {
  const [row] = await tx.query<{ id: number; is_verified: boolean }>(
    `select id, 'verified' = all (array[mx_status, spf_status, dkim_status, dmarc_status]) as is_verified
     from domains where instance_id = $1 and domain = $2 and deleted_at is null for share`,
    [instanceId, domain],
  );
  if (!row)
    throw new Problem('domain_not_found', { detail: `The instance does not have the domain ${domain}.` });
  if (!row.is_verified) throw new Problem('domain_not_verified');
  return row.id;
}

type ConsentSettings = { requires_consent?: boolean; consent_purpose_id?: number | null };

async function validateConsent(
  tx: Queryable,
  instanceId: number,
  { requires_consent, consent_purpose_id }: ConsentSettings,
): Promise<Violation[]> {
  const pointer = '/consent_purpose_id';
  if (consent_purpose_id === undefined || consent_purpose_id === null) {
    const message = 'A sender that requires consent needs the purpose it is for';
    return requires_consent ? [{ pointer, code: 'missing', message }] : [];
  }
  const [purpose] = await tx.query('select 1 from consent_purposes where instance_id = $1 and id = $2', [
    instanceId,
    consent_purpose_id,
  ]);
  return purpose ? [] : [{ pointer, code: 'value_error.purpose', message: 'There is no such purpose' }];
}
