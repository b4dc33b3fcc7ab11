import { Type, type Static } from 'typebox';
import { addMembership } from '../../accounts/users.ts';
import { actorOf } from '../../audit/audit.ts';
import type { Database } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery } from '../../base/http/pagination.ts';
import { DateTime, Enum, Nullable } from '../../base/http/schemas.ts';
import { getInstance, searchInstances, updateInstance } from '../../instances/instances.ts';
import { assignPool } from '../../sources/source-addresses.ts';
import { provisionInstance } from '../provision.ts';

const tag = 'Operator';
const path = '/v1/private/operator/instances' as const;
const access = { kind: 'operator' } as const;
const params = Type.Object({ slug: Type.String({ maxLength: 64, description: 'Of the instance.' }) });
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 40, description });

/** What an operator changes of an instance. */
const settings = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  timezone: Type.String({ maxLength: 64, description: 'IANA zone of its dates.' }),
  is_enabled: Type.Boolean({ description: 'False: its API keys are refused.' }),
  subscription_status: Enum(['active', 'inactive']),
  plan_send_limit: Nullable(count('Recipients in a month; null: no limit.')),
  attachment_limit_bytes: count('Mail with more is accepted and dropped.'),
  bandwidth_bytes_per_second: count('Of what it sends.'),
  bandwidth_burst_bytes: count('Of what it sends at once.'),
  retention_months: Type.Integer({ minimum: 1, maximum: 120 }),
  requests_per_second: count('Of each API key; 0: no limit.'),
  requests_burst: count('Of each API key at once.'),
  smtp_messages_per_second: count('Of each SMTP credential; 0: no limit.'),
  ip_allowlist: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 }),
};

const OperatorInstance = Type.Object(
  {
    slug: Type.String(),
    ...settings,
    created_at: DateTime('Of it.'),
    updated_at: DateTime('Of its last change.'),
  },
  { $id: 'OperatorInstance' },
);
type OperatorInstance = Static<typeof OperatorInstance>;

const InstanceChanges = Type.Partial(Type.Object(settings), { $id: 'OperatorInstanceChanges' });

const NewInstance = Type.Object(
  {
    slug: Type.String({ minLength: 3, maxLength: 32 }),
    name: settings.name,
    timezone: Type.Optional(settings.timezone),
    plan_send_limit: Type.Optional(settings.plan_send_limit),
  },
  { $id: 'NewInstance' },
);

const example = {
  slug: 'acme',
  name: 'Acme',
  timezone: 'America/Santiago',
  is_enabled: true,
  subscription_status: 'active',
  plan_send_limit: null,
  attachment_limit_bytes: 1_048_576,
  bandwidth_bytes_per_second: 10_485_760,
  bandwidth_burst_bytes: 67_108_864,
  retention_months: 3,
  requests_per_second: 100,
  requests_burst: 200,
  smtp_messages_per_second: 50,
  ip_allowlist: [],
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
};
const instance = { description: 'The instance.', schema: OperatorInstance, example } as const;

export function operatorInstanceRoutes({ db }: { db: Database }): Operation[] {
  return [...reading({ db }), ...changing({ db })];
}

function reading({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'operator_list_instances',
      method: 'GET',
      path,
      tag,
      summary: 'List the instances of the installation',
      description: 'By slug.',
      access,
      query: PageQuery({
        search: Type.Optional(
          Nullable(Type.String({ maxLength: 254, description: 'Part of slug or name.' })),
        ),
      }),
      success: onePage('instances', OperatorInstance, example),
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
      success: { status: 200, ...instance },
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
      description: 'With its sandbox, system fields and purposes. You become its owner, and invite others.',
      access,
      body: NewInstance,
      body_example: { slug: 'acme', name: 'Acme', timezone: 'America/Santiago' },
      success: { status: 201, ...instance },
      location: `${path}/{slug}`,
      errors: ['instance_already_exists'],
      handle: async (call) => {
        const actor = actorOf(call);
        const { slug, name, timezone, plan_send_limit } = call.body;
        return await db.transaction(async (tx) => {
          const made = await provisionInstance(tx, { slug, name, timezone, plan_send_limit }, actor);
          await addMembership(tx, made.id, { user_id: call.caller.actor.id, role: 'owner', actor });
          return shown(made);
        });
      },
    }),
    operation({
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
      success: { status: 200, ...instance },
      errors: ['instance_not_found'],
      handle: async (call) => {
        const { slug } = call.params;
        const known = Object.entries(call.body).filter(([key]) => Object.hasOwn(settings, key));
        const change = { changes: Object.fromEntries(known), actor: actorOf(call) };
        return await db.transaction(async (tx) => {
          await getTenant(tx, slug);
          return shown(await updateInstance(tx, slug, change));
        });
      },
    }),
    operation({
      id: 'operator_assign_source_pool',
      method: 'POST',
      path: `${path}/{slug}/source-pool`,
      tag,
      summary: 'Have an instance send from a pool',
      description: '`default` is the pool that all instances share.',
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
