import { Type } from 'typebox';
import { addMembership } from '../../accounts/users.ts';
import { actorOf } from '../../audit/audit.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import type { OperatorCaller } from '../../base/http/access.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery } from '../../base/http/pagination.ts';
import { replacement, type ResourceCall } from '../../base/http/replacement.ts';
import { Nullable } from '../../base/http/schemas.ts';
import { createApiKey } from '../../credentials/api-keys.ts';
import { CreatedApiKey, createdApiKeyExample, NewApiKey } from '../../credentials/credential-schemas.ts';
import { readApiKey } from '../../credentials/read-credential.ts';
import { getInstance, searchInstances, updateInstance } from '../../instances/instances.ts';
import { assignPool } from '../../sources/source-addresses.ts';
import { provisionInstance } from '../provision.ts';
import {
  instanceAnswer,
  InstanceChanges,
  instanceExample,
  NewInstance,
  OperatorInstance,
  settings,
} from './operator-instance-schemas.ts';

interface InstancesContext {
  db: Database;
  clock: Clock;
}

const tag = 'Operator';
const path = '/v1/operator/instances' as const;
const access = { kind: 'operator' } as const;
const params = Type.Object({ slug: Type.String({ maxLength: 64, description: 'Of the instance.' }) });

export function operatorInstanceRoutes({ db, clock }: InstancesContext): Operation[] {
  return [...reading({ db }), ...changing({ db }), createKeyRoute({ db, clock })];
}

function reading({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'operator_list_instances',
      method: 'GET',
      path,
      tag,
      summary: 'List the instances of the installation',
      description: 'In the order of their slugs.',
      access,
      query: PageQuery({
        search: Type.Optional(
          Nullable(Type.String({ maxLength: 254, description: 'Part of slug or name.' })),
        ),
      }),
      success: onePage('instances', OperatorInstance, instanceExample),
      errors: [],
      handle: async ({ query }) => {
        const { data, pagination } = await searchInstances(db, query);
        return { data: data.map(shown), pagination };
      },
    }),
    operation({
      id: 'operator_get_instance',
      method: 'GET',
      path: `${path}/{slug}`,
      tag,
      summary: 'Read an instance',
      description: 'With its plan and its limits.',
      access,
      params,
      success: { status: 200, ...instanceAnswer },
      errors: ['instance_not_found'],
      handle: async ({ params: { slug } }) => shown(await getTenant(db, slug)),
    }),
  ];
}

function changing({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'operator_create_instance',
      method: 'POST',
      path,
      tag,
      summary: 'Make an instance',
      description:
        'With its sandbox, system fields and purposes. A person who makes it becomes its owner and invites others; a program makes its first API key.',
      access,
      body: NewInstance,
      body_example: { slug: 'acme', name: 'Acme', timezone: 'America/Santiago' },
      success: { status: 201, ...instanceAnswer },
      location: `${path}/{slug}`,
      errors: ['instance_already_exists'],
      handle: async (call) => {
        const actor = actorOf(call);
        const { slug, name, timezone, plan_send_limit } = call.body;
        return await db.transaction(async (tx) => {
          const made = await provisionInstance(tx, { slug, name, timezone, plan_send_limit }, actor);
          const { actor: maker } = call.caller;
          if (maker.kind === 'user')
            await addMembership(tx, made.id, { user_id: maker.id, role: 'owner', actor });
          return shown(made);
        });
      },
    }),
    ...updating(db),
    operation({
      id: 'operator_assign_source_pool',
      method: 'POST',
      path: `${path}/{slug}/source-pool`,
      tag,
      summary: 'Have an instance send from a pool',
      description: 'The pool `default` is the one that all instances share.',
      access,
      params,
      body: Type.Object(
        { pool: Type.String({ minLength: 1, maxLength: 32 }) },
        { $id: 'SourcePoolAssignment' },
      ),
      body_example: { pool: 'default' },
      success: { status: 204, description: 'It sends from there.' },
      errors: ['instance_not_found', 'source_pool_not_found'],
      handle: async (call) => {
        await db.transaction(async (tx) => {
          const { id } = await getTenant(tx, call.params.slug);
          await assignPool(tx, id, { pool: call.body.pool, actor: actorOf(call) });
        });
      },
    }),
  ];
}

/** What may be changed of an instance, by single settings or by all of them. */
function updating(db: Database): Operation[] {
  const apply = async (
    call: ResourceCall<typeof params, OperatorCaller>,
    changes: InstanceChanges,
  ): Promise<OperatorInstance> => {
    const { slug } = call.params;
    const known = Object.entries(changes).filter(([key]) => Object.hasOwn(settings, key));
    const change = { changes: Object.fromEntries(known), actor: actorOf(call) };
    return await db.transaction(async (tx) => {
      await getTenant(tx, slug);
      return shown(await updateInstance(tx, slug, change));
    });
  };
  const patch = operation({
    id: 'operator_update_instance',
    method: 'PATCH',
    path: `${path}/{slug}`,
    tag,
    summary: 'Change, disable or enable an instance',
    description:
      'What is left out stays. A disabled instance refuses its keys and is read-only for its members.',
    access,
    params,
    body: InstanceChanges,
    body_example: { is_enabled: false },
    success: { status: 200, ...instanceAnswer },
    errors: ['instance_not_found'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement<typeof params, typeof InstanceChanges, OperatorCaller>({
    patch,
    $id: 'OperatorInstanceReplacement',
    summary: 'Replace the settings of an instance',
    params,
    creation: NewInstance,
    changes: InstanceChanges,
    fixed: ['slug'],
    read: async (call) => shown(await getTenant(db, call.params.slug)),
    apply,
  });
  return [patch, put];
}

function createKeyRoute({ db, clock }: InstancesContext): Operation {
  return operation({
    id: 'operator_create_api_key',
    method: 'POST',
    path: `${path}/{slug}/api-keys`,
    tag,
    summary: 'Create an API key of an instance',
    description:
      'The first one, with which a program sets up everything else of the instance. The key is in this answer and nowhere else.',
    access,
    params,
    body: NewApiKey,
    body_example: { name: 'setup', scopes: ['api-keys:write', 'domains:write', 'senders:write'] },
    success: { status: 201, description: 'The key.', schema: CreatedApiKey, example: createdApiKeyExample },
    errors: ['instance_not_found', 'api_key_scope_required', 'external_id_already_exists'],
    handle: async (call) => {
      const wanted = { key: readApiKey(call.body, clock.now()), actor: actorOf(call) };
      return await db.transaction(async (tx) => {
        const { id } = await getTenant(tx, call.params.slug);
        return await createApiKey(tx, id, wanted);
      });
    },
  });
}

/** The platform's own instance is nobody's to change. */
async function getTenant(
  db: Parameters<typeof getInstance>[0],
  slug: string,
): ReturnType<typeof getInstance> {
  const found = await getInstance(db, slug);
  const [platform] = await db.query('select from instances where id = $1 and is_platform', [found.id]);
  if (platform) throw new Problem('instance_not_found');
  return found;
}

function shown({ id: _id, ...rest }: Awaited<ReturnType<typeof getInstance>>): OperatorInstance {
  return rest;
}
