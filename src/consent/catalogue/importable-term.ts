import type { Queryable } from '../../base/db/database.ts';
import { Problem, validationProblem } from '../../base/errors/problem.ts';
import type { ImportedTerm } from '../record/import-consents.ts';
import type { Channel } from './term-schemas.ts';

interface Asked {
  term_id: number;
  term_version_id?: number | null | undefined;
  purpose_ids?: number[] | null | undefined;
}

interface Row {
  [name: string]: unknown;
  is_active: boolean;
  channels: Channel[];
  purpose_ids: number[];
  version_id: number | null;
}

/** The text that people agreed to elsewhere: a published version, the current one when none is named. */
export async function findImportableTerm(
  db: Queryable,
  instanceId: number,
  asked: Asked,
): Promise<Omit<ImportedTerm, 'method'>> {
  const [term] = await db.query<Row>(
    `select t.is_active, t.channels,
       array(select p.id from consent_term_purposes tp join consent_purposes p on p.id = tp.purpose_id
             where tp.term_id = t.id and p.is_enabled order by p.id) as purpose_ids,
       (select v.id from consent_term_versions v where v.term_id = t.id and v.published_at is not null
          and case when $3::bigint is null then v.is_current else v.id = $3 end) as version_id
     from consent_terms t where t.instance_id = $1 and t.id = $2`,
    [instanceId, asked.term_id, asked.term_version_id ?? null],
  );
  if (!term) throw new Problem('consent_term_not_found');
  if (!term.is_active) throw new Problem('consent_term_inactive');
  if (term.version_id === null) {
    throw new Problem(
      asked.term_version_id ? 'consent_term_version_not_found' : 'consent_term_no_current_version',
    );
  }
  if (!term.channels.includes('mail')) throw new Problem('consent_channel_not_covered');
  const purpose_ids = [...new Set(asked.purpose_ids ?? term.purpose_ids)];
  requirePurposes(term, purpose_ids);
  return { term_id: asked.term_id, term_version_id: term.version_id, purpose_ids };
}

function requirePurposes({ purpose_ids: open }: Row, wanted: number[]): void {
  const message = 'This is not an enabled purpose of the term';
  const violations = wanted.flatMap((id, index) =>
    open.includes(id) ? [] : [{ pointer: `/purpose_ids/${index}`, code: 'value_error.purpose', message }],
  );
  if (violations.length > 0) throw validationProblem(violations);
  if (wanted.length > 0) return;
  const none = 'The term has no enabled purpose';
  throw validationProblem([{ pointer: '/purpose_ids', code: 'value_error.purpose_disabled', message: none }]);
}
