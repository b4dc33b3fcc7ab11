import { Type } from 'typebox';
import { actorOf } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import {
  addSourceAddress,
  assignPool,
  defaultPool,
  listAssignments,
  listSourceAddresses,
  listSourceUsage,
  removeSourceAddress,
  type SourceAddress,
} from './source-addresses.ts';
import { getInstance, operatorInstancesPath, slugParams } from '../instances/index.ts';
import { warmUpCap, warmUpDay } from './warm-up.ts';

const tag = 'Operator';
const path = '/v1/operator/sources' as const;
const access = { kind: 'operator' } as const;

const Source = Type.Object(
  {
    address: Type.String(),
    ehlo_name: Type.String({ description: 'What it greets with.' }),
    pool: Type.String(),
    warms_up: Type.Boolean(),
    first_used_at: Nullable(DateTime('When it sent its first mail.')),
    warm_up_day: Nullable(Type.Integer({ description: 'From 1 on; null: warm.' })),
    daily_cap: Nullable(Type.Integer({ description: 'Mails to each provider today; null: no cap.' })),
    used_today: Type.Array(Type.Object({ provider: Type.String(), used: Type.Integer() }), {
      description: 'Of the cap, the ten busiest providers.',
    }),
  },
  { $id: 'SourceAddress' },
);
const example = {
  address: '203.0.113.5',
  ehlo_name: 'out1.example.com',
  pool: 'default',
  warms_up: true,
  first_used_at: '2026-12-01T12:00:00.000Z',
  warm_up_day: 3,
  daily_cap: 200,
  used_today: [{ provider: 'gmail.com', used: 118 }],
};

export function sourceOperatorRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'operator_list_sources',
      method: 'GET',
      path,
      tag,
      summary: 'List the addresses that mail leaves from',
      description: 'With how far each has warmed up, and the instances with a pool of their own.',
      access,
      success: {
        status: 200,
        description: 'The addresses.',
        schema: Type.Object({
          data: Type.Array(Source),
          assignments: Type.Array(Type.Object({ instance: Type.String(), pool: Type.String() })),
        }),
        example: { data: [example], assignments: [{ instance: 'acme', pool: 'bulk' }] },
      },
      errors: [],
      handle: async () => {
        const now = clock.now();
        const sources = await listSourceAddresses(db);
        const days = sources.map((source) => ({ source_id: source.id, day: warmUpDay(source, now) }));
        const usage = Map.groupBy(await listSourceUsage(db, days), ({ source_id }) => source_id);
        const assignments = await listAssignments(db);
        return {
          data: sources.map((source) => ({
            ...shown(source, now),
            used_today: (usage.get(source.id) ?? []).map(({ provider, used }) => ({ provider, used })),
          })),
          assignments: assignments.map(({ slug, pool }) => ({ instance: slug, pool })),
        };
      },
    }),
    operation({
      id: 'operator_add_source',
      method: 'POST',
      path,
      tag,
      summary: 'Add an address that mail leaves from',
      description:
        'It must be an address of the machines that deliver. A new one warms up: little mail at first, twice as much each day.',
      access,
      body: Type.Object(
        {
          address: Type.String({ maxLength: 64 }),
          ehlo_name: Type.String({
            maxLength: 253,
            description: 'Forward and reverse DNS must say the same.',
          }),
          pool: Type.Optional(Type.String({ maxLength: 32 })),
          warms_up: Type.Optional(Type.Boolean({ description: 'True unless said.' })),
        },
        { $id: 'NewSourceAddress' },
      ),
      body_example: { address: '203.0.113.5', ehlo_name: 'out1.example.com' },
      success: { status: 201, description: 'The address.', schema: Source, example },
      errors: ['source_address_already_exists'],
      handle: async (call) => {
        const { pool = defaultPool, warms_up = true, ...rest } = call.body;
        const added = await db.transaction(
          async (tx) => await addSourceAddress(tx, { ...rest, pool, warms_up }, actorOf(call)),
        );
        return { ...shown(added, clock.now()), used_today: [] };
      },
    }),
    operation({
      id: 'operator_remove_source',
      method: 'DELETE',
      path: `${path}/{address}`,
      tag,
      summary: 'Remove an address that mail leaves from',
      description: 'Attempts under way are finished.',
      access,
      params: Type.Object({ address: Type.String({ maxLength: 64, description: 'The address.' }) }),
      success: { status: 204, description: 'Removed.' },
      errors: ['source_address_not_found', 'source_pool_in_use'],
      handle: async (call) => {
        await db.transaction(async (tx) => await removeSourceAddress(tx, call.params.address, actorOf(call)));
      },
    }),
    operation({
      id: 'operator_assign_source_pool',
      method: 'POST',
      path: `${operatorInstancesPath}/{slug}/source-pool`,
      tag,
      summary: 'Have an instance send from a pool',
      description: 'The pool `default` is the one that all instances share.',
      access,
      params: slugParams,
      body: Type.Object(
        { pool: Type.String({ minLength: 1, maxLength: 32 }) },
        { $id: 'SourcePoolAssignment' },
      ),
      body_example: { pool: 'default' },
      success: { status: 204, description: 'It sends from there.' },
      errors: ['instance_not_found', 'source_pool_not_found'],
      handle: async (call) => {
        await db.transaction(async (tx) => {
          const { id } = await getInstance(tx, call.params.slug);
          await assignPool(tx, id, { pool: call.body.pool, actor: actorOf(call) });
        });
      },
    }),
  ];
}

function shown(source: SourceAddress, now: Date): object {
  const { id: _id, ...rest } = source;
  const cap = warmUpCap(source, now);
  const isWarm = cap === Infinity;
  return {
    ...rest,
    warm_up_day: isWarm ? null : warmUpDay(source, now) + 1,
    daily_cap: isWarm ? null : cap,
  };
}
