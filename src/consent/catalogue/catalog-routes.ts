import { Type } from 'typebox';
import type { Queryable } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery } from '../../base/http/pagination.ts';
import { Nullable } from '../../base/http/schemas.ts';
import { ConsentPurpose, purposeExample } from './purpose-schemas.ts';
import { listPurposes } from './purposes.ts';
import { ConsentTerm, termExample } from './term-schemas.ts';
import { listTerms } from './terms.ts';

const tag = 'Consent';
const access = { kind: 'api_key', scope: 'consent:read' } as const;

export function consentCatalogRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_consent_terms',
      method: 'GET',
      path: '/v1/consent-terms',
      tag,
      summary: 'List consent terms',
      description:
        'The terms of the instance in the order of their creation, each with every version it has had. New consents are recorded under the current version; a term may have no current version.',
      access,
      query: PageQuery({}),
      success: onePage('terms', ConsentTerm, termExample),
      errors: [],
      handle: async ({ caller, query }) => await listTerms(db, caller.instance.id, query),
    }),
    operation({
      id: 'list_consent_purposes',
      method: 'GET',
      path: '/v1/consent-purposes',
      tag,
      summary: 'List consent purposes',
      description:
        'Purposes of consent, in order of creation. Every instance starts with `marketing` and `newsletter`.',
      access,
      query: PageQuery({
        is_enabled: Type.Optional(
          Nullable(Type.Boolean({ description: 'Only enabled or only disabled ones; all when left out.' })),
        ),
      }),
      success: onePage('purposes', ConsentPurpose, purposeExample),
      errors: [],
      handle: async ({ caller, query }) => await listPurposes(db, caller.instance.id, query),
    }),
  ];
}
