import { Conditions } from '../../base/db/conditions.ts';
import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../../base/http/pagination.ts';
import type { ConsentTerm, ConsentTermVersion } from './term-schemas.ts';

const termColumns = `id, external_id, name, type,
  (select array_agg(purpose_id order by purpose_id) from consent_term_purposes where term_id = id) as purpose_ids,
  channels, is_active, created_at, updated_at`;
export const versionColumns = 'id, version, body, document_url, is_current, published_at';

type TermRow = Omit<ConsentTerm, 'versions'>;

interface TermFilters extends PageRequest {
  external_id?: string | null;
}

export async function listTerms(
  db: Queryable,
  instanceId: number,
  filters: TermFilters,
): Promise<PageOf<ConsentTerm>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('external_id = ?', filters.external_id);
  const page = await selectPage<TermRow>(
    db,
    {
      columns: termColumns,
      source: `from consent_terms where ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
  return { ...page, data: await withVersions(db, page.data) };
}

export async function getTerm(db: Queryable, instanceId: number, id: number): Promise<ConsentTerm> {
  const rows = await db.query<TermRow>(
    `select ${termColumns} from consent_terms where instance_id = $1 and id = $2`,
    [instanceId, id],
  );
  const [term] = await withVersions(db, rows);
  if (!term) throw new Problem('consent_term_not_found');
  return term;
}

/** Serialises changes of a term and its versions. */
export async function lockTerm(tx: Queryable, instanceId: number, id: number): Promise<void> {
  const found = await tx.query(
    'select from consent_terms where instance_id = $1 and id = $2 for no key update',
    [instanceId, id],
  );
  if (found.length === 0) throw new Problem('consent_term_not_found');
}

async function withVersions(db: Queryable, terms: TermRow[]): Promise<ConsentTerm[]> {
  const versions = await db.query<ConsentTermVersion & { term_id: number }>(
    `select term_id, ${versionColumns} from consent_term_versions where term_id = any($1) order by id`,
    [terms.map(({ id }) => id)],
  );
  const byTerm = Map.groupBy(versions, ({ term_id }) => term_id);
  return terms.map((term) => ({
    ...term,
    versions: (byTerm.get(term.id) ?? []).map(({ term_id: _term, ...version }) => version),
  }));
}
