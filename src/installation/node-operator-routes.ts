import { Type } from 'typebox';
import { actorOf, recordAudit } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import type { Job as ScheduledJob } from '../base/jobs/job.ts';
import { listJobs, makeJobDue } from '../base/jobs/job-states.ts';

const tag = 'Operator';
const access = { kind: 'operator' } as const;

const Node = Type.Object(
  {
    id: Type.String(),
    place: Nullable(Type.String({ description: 'The machine, as far as it is known.' })),
    pid: Type.Integer(),
    roles: Type.Array(Type.String()),
    version: Type.String(),
    started_at: DateTime('Of the process.'),
    seen_at: DateTime('When it last reported itself.'),
    is_alive: Type.Boolean({
      description: 'Whether it reported itself within the time after which it is declared dead.',
    }),
  },
  { $id: 'InstallationNode' },
);
const Job = Type.Object(
  {
    name: Type.String(),
    every_seconds: Nullable(Type.Integer({ description: 'Null: this version does not know the job.' })),
    next_run_at: DateTime('When it is due.'),
    last_run_at: Nullable(DateTime('Of it.')),
    last_success_at: Nullable(DateTime('Of the last run that worked.')),
    last_duration_ms: Nullable(Type.Integer()),
    last_error: Nullable(Type.String()),
    last_result: Nullable(Type.String()),
  },
  { $id: 'InstallationJob' },
);
const nodeExample = {
  id: '0a1b2c3d',
  place: null,
  pid: 4711,
  roles: ['api', 'delivery'],
  version: '0.2.0',
  started_at: '2026-12-01T12:00:00.000Z',
  seen_at: '2026-12-01T13:00:00.000Z',
  is_alive: true,
};
const jobExample = {
  name: 'retention',
  every_seconds: 3_600,
  next_run_at: '2026-12-01T13:00:00.000Z',
  last_run_at: '2026-12-01T12:00:00.000Z',
  last_success_at: '2026-12-01T12:00:00.000Z',
  last_duration_ms: 42,
  last_error: null,
  last_result: 'nothing to drop',
};

interface NodeContext {
  db: Database;
  dead_after_seconds: number;
  /** How often this version runs each job. */
  schedules: Pick<ScheduledJob, 'name' | 'every_ms'>[];
}

export function nodeOperatorRoutes({ db, dead_after_seconds, schedules }: NodeContext): Operation[] {
  return [
    operation({
      id: 'operator_list_nodes',
      method: 'GET',
      path: '/v1/private/operator/nodes',
      tag,
      summary: 'List the processes of the installation',
      description: 'Those that reported themselves, with their roles and versions.',
      access,
      success: {
        status: 200,
        description: 'The nodes.',
        schema: Type.Object({ data: Type.Array(Node) }),
        example: { data: [nodeExample] },
      },
      errors: [],
      handle: async () => ({
        data: await db.query(
          `select id, place, pid, roles, version, started_at, seen_at, seen_at > now() - make_interval(secs => $1) as is_alive
           from nodes order by started_at, id limit 1000`,
          [dead_after_seconds],
        ),
      }),
    }),
    operation({
      id: 'operator_list_jobs',
      method: 'GET',
      path: '/v1/private/operator/jobs',
      tag,
      summary: 'List the scheduled jobs',
      description: 'When each ran, how long, and what came of it.',
      access,
      success: {
        status: 200,
        description: 'The jobs.',
        schema: Type.Object({ data: Type.Array(Job) }),
        example: { data: [jobExample] },
      },
      errors: [],
      handle: async () => {
        const intervals = new Map(schedules.map(({ name, every_ms }) => [name, every_ms / 1000]));
        const states = await listJobs(db);
        return {
          data: states.map((state) => ({ ...state, every_seconds: intervals.get(state.name) ?? null })),
        };
      },
    }),
    operation({
      id: 'operator_run_job',
      method: 'POST',
      path: '/v1/private/operator/jobs/{name}/run',
      tag,
      summary: 'Run a job now',
      description: 'Makes it due: a node with role `jobs` runs it within seconds.',
      access,
      params: Type.Object({ name: Type.String({ maxLength: 100, description: 'Of the job.' }) }),
      success: { status: 204, description: 'It is due.' },
      errors: ['job_not_found'],
      handle: async (call) => {
        const { name } = call.params;
        await db.transaction(async (tx) => {
          if (!(await makeJobDue(tx, name))) throw new Problem('job_not_found');
          const object = { kind: 'job', id: name };
          await recordAudit(tx, { instance_id: null, actor: actorOf(call), action: 'job.run', object });
        });
      },
    }),
  ];
}
