import type { Database, Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import {
  generateDkimKeys,
  insertDkimKeys,
  switchSigningKey,
  type KeyMaking,
  type NewDkimKey,
} from './dkim-keys.ts';
import { validateNewDomain } from './domain-name.ts';
import type { DomainChanges, NewDomain } from './domain-schemas.ts';
import { newOwnershipToken } from './ownership-token.ts';
import { isRevokedName, lockRevocations, reinstateName, revokeName } from './revoked-names.ts';

const audit = auditOf('domain');
const auditDomainName = auditOf('domain_name');

interface DomainChange {
  id: number;
  actor: Actor;
}

/** Key generation takes a second of CPU, so it runs before the transaction. */
export async function createDomain(
  db: Database,
  instanceId: number,
  wanted: KeyMaking & NewDomain & { platform_domain: string; actor: Actor; max_domains?: number },
): Promise<number> {
  const { external_id = null } = wanted;
  const validated = validateNewDomain(wanted.domain, wanted.platform_domain);
  if ('violation' in validated) throw validationProblem([validated.violation]);
  await requireFreeExternalId(db, instanceId, { table: 'domains', external_id });
  await refuseDuplicate(db, instanceId, validated.domain);
  const token = newOwnershipToken();
  const make = async (): Promise<NewDkimKey[]> => {
    await refuseTooMany(db, instanceId, wanted.max_domains);
    return await generateDkimKeys(token, wanted);
  };
  const keys = await (wanted.limiter ? wanted.limiter(instanceId, make) : make());
  return await db.transaction(async (tx) => {
    await lockRevocations(tx);
    await requireFreeExternalId(tx, instanceId, { table: 'domains', external_id });
    await refuseTooMany(tx, instanceId, wanted.max_domains);
    const [row] = await tx.query<{ id: number }>(
      'insert into domains (instance_id, domain, ownership_token, external_id) values ($1, $2, $3, $4) returning id',
      [instanceId, validated.domain, token, external_id],
    );
    const { id } = row as { id: number };
    if (await isRevokedName(tx, validated.domain)) await setAllStatuses(tx, id, 'revoked');
    await insertDkimKeys(tx, id, keys);
    await audit(tx, instanceId, {
      action: 'created',
      id,
      actor: wanted.actor,
      details: { domain: validated.domain, external_id },
    });
    return id;
  });
}

type Changeable = Required<DomainChanges>;

/** A change without effect is not audited. */
export async function updateDomain(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: DomainChange & { changes: DomainChanges },
): Promise<void> {
  const [present] = await tx.query<Changeable & { is_sandbox: boolean }>(
    `select external_id, any_sender, default_sender_id, is_sandbox from domains
     where instance_id = $1 and id = $2 and deleted_at is null for update`,
    [instanceId, id],
  );
  if (!present) throw new Problem('domain_not_found');
  const { is_sandbox, ...before } = present;
  const after = { ...before, ...changes };
  const details = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name as keyof Changeable]),
  );
  const changed = Object.keys(details);
  if (changed.length === 0) return;
  const { external_id, any_sender, default_sender_id } = after;
  if (changed.some((name) => name !== 'external_id')) {
    if (is_sandbox) throw new Problem('domain_is_sandbox');
    await requireDefaultSender(tx, id, after);
  }
  await requireFreeExternalId(tx, instanceId, { table: 'domains', external_id, of: id });
  await tx.query(
    `update domains set external_id = $2, any_sender = $3, default_sender_id = $4, updated_at = now() where id = $1`,
    [id, external_id, any_sender, default_sender_id],
  );
  await audit(tx, instanceId, { action: 'updated', id, actor, details });
}

/** Of the same domain, whose keys sign. */
async function requireDefaultSender(
  tx: Queryable,
  domainId: number,
  { any_sender, default_sender_id }: Changeable,
): Promise<void> {
  const refuse = (code: string, message: string): never => {
    throw validationProblem([{ pointer: '/default_sender_id', code, message }]);
  };
  if (default_sender_id === null) {
    if (any_sender) refuse('missing', 'any_sender needs the sender whose settings hold for other addresses');
    return;
  }
  const [own] = await tx.query(
    'select 1 from senders where id = $1 and domain_id = $2 and deleted_at is null',
    [default_sender_id, domainId],
  );
  if (!own) refuse('value_error.sender', 'There is no such sender on this domain');
}

/** Deletes its senders too; accepted mail keeps what it needs. */
export async function deleteDomain(
  tx: Queryable,
  instanceId: number,
  { id, actor }: DomainChange,
): Promise<void> {
  await requireOwnDomain(tx, instanceId, id);
  await tx.query('update domains set deleted_at = now(), updated_at = now() where id = $1', [id]);
  await tx.query('update senders set deleted_at = now() where domain_id = $1 and deleted_at is null', [id]);
  await audit(tx, instanceId, { action: 'deleted', id, actor });
}

/**
 * Validation does not lift a revocation, only `reinstateDomain`. An operator revokes the name in every instance,
 * future registrations included.
 */
export async function revokeDomain(
  tx: Queryable,
  instanceId: number,
  { id, actor }: DomainChange,
): Promise<void> {
  if (actor.kind === 'operator') {
    await changeName(tx, instanceId, { id, actor, action: 'revoked', change: revokeName });
    return;
  }
  await requireOwnDomain(tx, instanceId, id);
  await setAllStatuses(tx, id, 'revoked');
  await audit(tx, instanceId, { action: 'revoked', id, actor });
}

/** By an operator, whether or not anybody has registered the name. */
export async function revokeDomainName(tx: Queryable, domain: string, actor: Actor): Promise<void> {
  await auditEach(tx, { action: 'revoked', actor }, async () => {
    await auditDomainName(tx, null, { action: 'revoked', id: domain, actor });
    return await revokeName(tx, domain);
  });
}

/** Its registrations must be validated again. Throws `domain_revocation_not_found`. */
export async function reinstateDomainName(tx: Queryable, domain: string, actor: Actor): Promise<void> {
  await auditEach(tx, { action: 'reinstated', actor }, async () => {
    if (!(await isRevokedName(tx, domain))) throw new Problem('domain_revocation_not_found');
    await auditDomainName(tx, null, { action: 'reinstated', id: domain, actor });
    return await reinstateName(tx, domain);
  });
}

/** Resets all states, so the domain must be validated again. Only an operator lifts an operator's revocation. */
export async function reinstateDomain(
  tx: Queryable,
  instanceId: number,
  { id, actor }: DomainChange,
): Promise<void> {
  if (actor.kind === 'operator') {
    await changeName(tx, instanceId, { id, actor, action: 'reinstated', change: reinstateName });
    return;
  }
  const domain = await requireOwnDomain(tx, instanceId, id);
  if (await isRevokedName(tx, domain)) throw new Problem('domain_revoked_by_operator');
  await setAllStatuses(tx, id, 'pending');
  await audit(tx, instanceId, { action: 'reinstated', id, actor });
}

interface NameChange extends DomainChange {
  action: string;
  change: typeof revokeName;
}

/** Audited in each instance that has the name. */
async function changeName(
  tx: Queryable,
  instanceId: number,
  { id, actor, action, change }: NameChange,
): Promise<void> {
  await auditEach(
    tx,
    { action, actor },
    async () => await change(tx, await requireOwnDomain(tx, instanceId, id)),
  );
}

async function auditEach(
  tx: Queryable,
  { action, actor }: { action: string; actor: Actor },
  change: () => ReturnType<typeof revokeName>,
): Promise<void> {
  await lockRevocations(tx);
  for (const registration of await change()) {
    await audit(tx, registration.instance_id, { action, id: registration.id, actor });
  }
}

export async function rotateDkim(
  tx: Queryable,
  instanceId: number,
  { id, actor }: DomainChange,
): Promise<void> {
  await requireOwnDomain(tx, instanceId, id);
  const signing_selector = await switchSigningKey(tx, id);
  await tx.query('update domains set updated_at = now() where id = $1', [id]);
  await audit(tx, instanceId, { action: 'dkim_rotated', id, actor, details: { signing_selector } });
}

async function refuseTooMany(db: Queryable, instanceId: number, most = Infinity): Promise<void> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) from domains where instance_id = $1 and deleted_at is null and not is_sandbox',
    [instanceId],
  );
  if ((row?.count ?? 0) >= most) throw new Problem('domain_limit_reached');
}

async function refuseDuplicate(db: Queryable, instanceId: number, domain: string): Promise<void> {
  const [taken] = await db.query(
    'select 1 from domains where instance_id = $1 and domain = $2 and deleted_at is null',
    [instanceId, domain],
  );
  if (taken) throw new Problem('domain_already_exists');
}

/** Locks the row and returns the name. */
async function requireOwnDomain(tx: Queryable, instanceId: number, id: number): Promise<string> {
  const [row] = await tx.query<{ domain: string; is_sandbox: boolean }>(
    'select domain, is_sandbox from domains where instance_id = $1 and id = $2 and deleted_at is null for update',
    [instanceId, id],
  );
  if (!row) throw new Problem('domain_not_found');
  if (row.is_sandbox) throw new Problem('domain_is_sandbox');
  return row.domain;
}

async function setAllStatuses(tx: Queryable, id: number, status: 'revoked' | 'pending'): Promise<void> {
  await tx.query(
    `update domains set mx_status = $2, spf_status = $2, dkim_status = $2, dmarc_status = $2,
       check_reasons = '{}', updated_at = now() where id = $1`,
    [id, status],
  );
}
