import { Type } from 'typebox';
import { actorOf } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { DateTime } from '../base/http/schemas.ts';
import { reinstateDomainName, revokeDomainName } from './change-domain.ts';
import { validateNewDomain } from './domain-name.ts';
import { listRevokedNames } from './revoked-names.ts';

const tag = 'Operator';
const path = '/v1/private/operator/domain-revocations' as const;
const access = { kind: 'operator' } as const;

const Revocation = Type.Object(
  {
    domain: Type.String(),
    revoked_at: DateTime('When an operator revoked it.'),
    instances: Type.Array(Type.String(), {
      description: 'Slugs of those that have registered it, at most 50.',
    }),
  },
  { $id: 'DomainRevocation' },
);
const example = { domain: 'spam.example', revoked_at: '2026-12-01T12:00:00.000Z', instances: ['acme'] };

interface DomainContext {
  db: Database;
  platform_domain: string;
}

/** An operator's revocation is of the name, in every instance; only an operator lifts it. */
export function revocationOperatorRoutes({ db, platform_domain }: DomainContext): Operation[] {
  return [
    operation({
      id: 'operator_list_domain_revocations',
      method: 'GET',
      path,
      tag,
      summary: 'List the domains that operators revoked',
      description: 'Newest first.',
      access,
      query: PageQuery({}),
      success: onePage('revocations', Revocation, example),
      errors: [],
      handle: async ({ query }) => await listRevokedNames(db, query),
    }),
    operation({
      id: 'operator_revoke_domain',
      method: 'POST',
      path,
      tag,
      summary: 'Revoke a domain in every instance',
      description: 'Registrations to come are revoked too. Mail that waits is held.',
      access,
      body: Type.Object(
        { domain: Type.String({ minLength: 1, maxLength: 253 }) },
        { $id: 'NewDomainRevocation' },
      ),
      body_example: { domain: 'spam.example' },
      success: { status: 204, description: 'Revoked.' },
      errors: [],
      handle: async (call) => {
        const found = validateNewDomain(call.body.domain, platform_domain);
        if ('violation' in found) throw validationProblem([found.violation]);
        await db.transaction(async (tx) => await revokeDomainName(tx, found.domain, actorOf(call)));
      },
    }),
    operation({
      id: 'operator_reinstate_domain',
      method: 'DELETE',
      path: `${path}/{domain}`,
      tag,
      summary: 'Lift the revocation of a domain',
      description: 'Its registrations must be validated again.',
      access,
      params: Type.Object({ domain: Type.String({ maxLength: 253 }) }),
      success: { status: 204, description: 'Lifted.' },
      errors: ['domain_revocation_not_found'],
      handle: async (call) => {
        const domain = call.params.domain.toLowerCase();
        await db.transaction(async (tx) => await reinstateDomainName(tx, domain, actorOf(call)));
      },
    }),
  ];
}
