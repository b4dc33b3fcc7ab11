import { Type } from 'typebox';
import { type Actor, actorOf } from '../audit/index.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import type { OperatorCaller } from '../base/http/access.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { Nullable } from '../base/http/schemas.ts';
import { getInstance, type Instance, listInstances, type NewInstance, updateInstance } from './instances.ts';
import {
  instanceAnswer,
  InstanceChanges,
  instanceExample,
  NewOperatorInstance,
  operatorInstancesPath as path,
  OperatorInstance,
  slugParams as params,
  settings,
} from './operator-instance-schemas.ts';

interface InstancesContext {
  db: Database;
  /** Inserts it with what every room puts into a new instance. */
  provision: (
    tx: Queryable,
    wanted: NewInstance,
    by: { actor: Actor; owner_id: number | undefined },
  ) => Promise<Instance>;
}

const tag = 'Operator';
const access = { kind: 'operator' } as const;

export function instanceOperatorRoutes({ db, provision }: InstancesContext): Operation[] {
  return [...reading(db), createRoute({ db, provision }), ...updating(db)];
}

function reading(db: Database): Operation[] {
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
        const { data, pagination } = await listInstances(db, query);
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
      handle: async ({ params: { slug } }) => shown(await getInstance(db, slug)),
    }),
  ];
}

function createRoute({ db, provision }: InstancesContext): Operation {
  return operation({
    id: 'operator_create_instance',
    method: 'POST',
    path,
    tag,
    summary: 'Make an instance',
    description:
      'With its sandbox, system fields and purposes. A person who makes it becomes its owner and invites others; a program makes its first API key.',
    access,
    body: NewOperatorInstance,
    body_example: { slug: 'acme', name: 'Acme', timezone: 'America/Santiago' },
    success: { status: 201, ...instanceAnswer },
    location: `${path}/{slug}`,
    errors: ['instance_already_exists'],
    handle: async (call) => {
      const { actor: maker } = call.caller;
      const by = { actor: actorOf(call), owner_id: maker.kind === 'user' ? maker.id : undefined };
      return shown(await db.transaction(async (tx) => await provision(tx, call.body, by)));
    },
  });
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
      await getInstance(tx, slug);
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
    creation: NewOperatorInstance,
    changes: InstanceChanges,
    fixed: ['slug'],
    read: async (call) => shown(await getInstance(db, call.params.slug)),
    apply,
  });
  return [patch, put];
}

function shown({ id: _id, ...rest }: Instance): OperatorInstance {
  return rest;
}
