import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { actorOf } from '../audit/index.ts';
import { getInstance, operatorInstancesPath as path, slugParams as params } from '../instances/index.ts';
import { createApiKey } from './api-keys.ts';
import { CreatedApiKey, createdApiKeyExample, NewApiKey } from './credential-schemas.ts';
import { readApiKey } from './read-credential.ts';

export function apiKeyOperatorRoute({ db, clock }: { db: Database; clock: Clock }): Operation {
  return operation({
    id: 'operator_create_api_key',
    method: 'POST',
    path: `${path}/{slug}/api-keys`,
    tag: 'Operator',
    summary: 'Create an API key of an instance',
    description:
      'The first one, with which a program sets up everything else of the instance. The key is in this answer and nowhere else.',
    access: { kind: 'operator' },
    params,
    body: NewApiKey,
    body_example: { name: 'setup', scopes: ['api-keys:write', 'domains:write', 'senders:write'] },
    success: { status: 201, description: 'The key.', schema: CreatedApiKey, example: createdApiKeyExample },
    errors: ['instance_not_found', 'api_key_scope_required', 'external_id_already_exists'],
    handle: async (call) => {
      const wanted = { key: readApiKey(call.body, clock.now()), actor: actorOf(call) };
      return await db.transaction(async (tx) => {
        const { id } = await getInstance(tx, call.params.slug);
        return await createApiKey(tx, id, wanted);
      });
    },
  });
}
