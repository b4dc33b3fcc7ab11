import { Type } from 'typebox';
import type { Queryable } from '../../base/db/database.ts';
import { externalIdFilter } from '../../base/http/external-id.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery } from '../../base/http/pagination.ts';
import { Id, Nullable } from '../../base/http/schemas.ts';
import { ConsentPurpose, purposeExample } from './purpose-schemas.ts';
import { getPurpose, listPurposes } from './purposes.ts';
import { ConsentTerm, termExample } from './term-schemas.ts';
import { getTerm, listTerms } from './terms.ts';

const tag = 'Consent';
export const termParams = Type.Object({ id: Id('Identifier of the term.') });
export const purposeParams = Type.Object({ id: Id('Identifier of the purpose.') });
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
      query: PageQuery(externalIdFilter),
      success: onePage('terms', ConsentTerm, termExample),
      errors: [],
      handle: async ({ caller, query }) => await listTerms(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_consent_term',
      method: 'GET',
      path: '/v1/consent-terms/{id}',
      tag,
      summary: 'Read a consent term',
      description: 'The term with every version it has had.',
      access,
      params: termParams,
      success: { status: 200, description: 'The term.', schema: ConsentTerm, example: termExample },
      errors: ['consent_term_not_found'],
      handle: async ({ caller, params: { id } }) => await getTerm(db, caller.instance.id, id),
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
        ...externalIdFilter,
      }),
      success: onePage('purposes', ConsentPurpose, purposeExample),
      errors: [],
      handle: async ({ caller, query }) => await listPurposes(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_consent_purpose',
      method: 'GET',
      path: '/v1/consent-purposes/{id}',
      tag,
      summary: 'Read a consent purpose',
      description: 'One purpose of the catalog.',
      access,
      params: purposeParams,
      success: { status: 200, description: 'The purpose.', schema: ConsentPurpose, example: purposeExample },
      errors: ['consent_purpose_not_found'],
      handle: async ({ caller, params: { id } }) => await getPurpose(db, caller.instance.id, id),
    }),
  ];
}
