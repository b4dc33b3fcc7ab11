import type { Queryable } from '../../base/db/database.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import type { Actor } from '../../audit/index.ts';
import { auditTerm } from './change-term.ts';
import type { ConsentTermVersion, ConsentTermVersionChanges, NewConsentTermVersion } from './term-schemas.ts';
import { validateVersion, requireRoomForText } from './validate-version.ts';
import { lockTerm, versionColumns } from './terms.ts';

interface OfVersion {
  term_id: number;
  id: number;
  actor: Actor;
}

/** A draft, which can be changed until it is published. */
export async function addVersion(
  tx: Queryable,
  instanceId: number,
  { term_id, version, actor }: { term_id: number; version: NewConsentTermVersion; actor: Actor },
): Promise<ConsentTermVersion> {
  await lockTerm(tx, instanceId, term_id);
  const violations = validateVersion(version);
  if (violations.length > 0) throw validationProblem(violations);
  await requireRoomForText(tx, instanceId, version.body);
  const [row] = await tx.query<ConsentTermVersion>(
    `insert into consent_term_versions (term_id, version, body, document_url) values ($1, $2, $3, $4)
     returning ${versionColumns}`,
    [term_id, version.version, version.body, version.document_url ?? null],
  );
  const added = row as ConsentTermVersion;
  await audit(tx, instanceId, { action: 'version_added', term_id, version: added, actor });
  return added;
}

export async function updateVersion(
  tx: Queryable,
  instanceId: number,
  { changes, ...of }: OfVersion & { changes: ConsentTermVersionChanges },
): Promise<ConsentTermVersion> {
  const present = await lockVersion(tx, instanceId, of);
  if (present.published_at) throw new Problem('consent_term_version_published');
  const violations = validateVersion(changes);
  if (violations.length > 0) throw validationProblem(violations);
  if (changes.body !== undefined) await requireRoomForText(tx, instanceId, changes.body);
  const { version, body, document_url } = { ...present, ...changes };
  const [row] = await tx.query<ConsentTermVersion>(
    `update consent_term_versions set version = $2, body = $3, document_url = $4 where id = $1
     returning ${versionColumns}`,
    [of.id, version, body, document_url],
  );
  const changed = row as ConsentTermVersion;
  await audit(tx, instanceId, { ...of, action: 'version_updated', version: changed });
  return changed;
}

/** Makes the text immutable. It does not become current by that. */
export async function publishVersion(
  tx: Queryable,
  instanceId: number,
  of: OfVersion,
): Promise<ConsentTermVersion> {
  const present = await lockVersion(tx, instanceId, of);
  if (present.published_at) return present;
  const [row] = await tx.query<ConsentTermVersion>(
    `update consent_term_versions set published_at = date_trunc('milliseconds', now()) where id = $1
     returning ${versionColumns}`,
    [of.id],
  );
  await audit(tx, instanceId, { ...of, action: 'version_published', version: present });
  return row as ConsentTermVersion;
}

/** New consents are recorded under this version; existing ones keep theirs. */
export async function setCurrentVersion(
  tx: Queryable,
  instanceId: number,
  of: OfVersion,
): Promise<ConsentTermVersion> {
  const present = await lockVersion(tx, instanceId, of);
  if (!present.published_at) throw new Problem('consent_term_version_not_published');
  if (present.is_current) return present;
  await tx.query('update consent_term_versions set is_current = false where term_id = $1 and is_current', [
    of.term_id,
  ]);
  const [row] = await tx.query<ConsentTermVersion>(
    `update consent_term_versions set is_current = true where id = $1 returning ${versionColumns}`,
    [of.id],
  );
  await audit(tx, instanceId, { ...of, action: 'version_made_current', version: present });
  return row as ConsentTermVersion;
}

export async function deleteVersion(tx: Queryable, instanceId: number, of: OfVersion): Promise<void> {
  const present = await lockVersion(tx, instanceId, of);
  if (present.published_at) throw new Problem('consent_term_version_published');
  await tx.query('delete from consent_term_versions where id = $1', [of.id]);
  await audit(tx, instanceId, { ...of, action: 'version_deleted', version: present });
}

async function lockVersion(
  tx: Queryable,
  instanceId: number,
  { term_id, id }: OfVersion,
): Promise<ConsentTermVersion> {
  await lockTerm(tx, instanceId, term_id);
  const [row] = await tx.query<ConsentTermVersion>(
    `select ${versionColumns} from consent_term_versions where term_id = $1 and id = $2`,
    [term_id, id],
  );
  if (!row) throw new Problem('consent_term_version_not_found');
  return row;
}

interface VersionAct {
  action: string;
  term_id: number;
  version: Pick<ConsentTermVersion, 'id' | 'version'>;
  actor: Actor;
}

async function audit(tx: Queryable, instanceId: number, act: VersionAct): Promise<void> {
  const { action, term_id, version, actor } = act;
  await tx.query('update consent_terms set updated_at = now() where id = $1', [term_id]);
  const details = { version: version.version, term_version_id: version.id };
  await auditTerm(tx, instanceId, { action, id: term_id, actor, details });
}
