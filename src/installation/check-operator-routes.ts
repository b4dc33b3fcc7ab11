import { Type } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import { examine, type Check, type Finding } from './check.ts';
import { listCheckResults } from './check-results.ts';

const tag = 'Operator';
const path = '/v1/private/operator/checks' as const;
const access = { kind: 'operator' } as const;

const FindingSchema = Type.Object(
  {
    check: Type.String(),
    ok: Type.Boolean(),
    detail: Type.String({ description: 'What was found, in words.' }),
    action: Nullable(Type.String({ description: 'What to do about it; null when nothing is wrong.' })),
    is_skipped: Type.Boolean({ description: 'It does not apply here, and nothing was looked at.' }),
  },
  { $id: 'Finding' },
);

const ListedCheck = Type.Object(
  {
    check: Type.String(),
    last: Nullable(
      Type.Object({
        ...FindingSchema.properties,
        checked_at: DateTime('Of the scheduled run.'),
      }),
    ),
  },
  { $id: 'ListedCheck' },
);
const example = {
  check: 'database',
  ok: true,
  detail: 'embedded, version 18.4',
  action: null,
  is_skipped: false,
};

/** The checks of `chasqui doctor`, one by one: some read every mail of the last days. */
export function checkOperatorRoutes(db: Queryable, checks: Check[]): Operation[] {
  const running = new Map<string, Promise<Finding>>();

  /** Callers that ask while it runs get the same finding. */
  async function run(check: Check): Promise<Finding> {
    const known = running.get(check.name);
    if (known) return await known;
    const finding = examine(check).finally(() => running.delete(check.name));
    running.set(check.name, finding);
    return await finding;
  }

  return [
    operation({
      id: 'operator_list_checks',
      method: 'GET',
      path,
      tag,
      summary: 'List the health checks',
      description:
        'Those of `chasqui doctor`, in their order, with what the scheduled run found last. Run each by its name.',
      access,
      success: {
        status: 200,
        description: 'The checks.',
        schema: Type.Object({ data: Type.Array(ListedCheck) }),
        example: {
          data: [{ check: 'database', last: { ...example, checked_at: '2026-12-01T12:00:00.000Z' } }],
        },
      },
      errors: [],
      handle: async () => {
        const last = new Map((await listCheckResults(db)).map((result) => [result.check, result]));
        return { data: checks.map(({ name }) => ({ check: name, last: last.get(name) ?? null })) };
      },
    }),
    operation({
      id: 'operator_run_check',
      method: 'POST',
      path: `${path}/{check}/run`,
      tag,
      summary: 'Run a health check',
      description: 'A check that finds something wrong is answered 200 with `ok` false.',
      access,
      params: Type.Object({ check: Type.String({ maxLength: 100 }) }),
      success: {
        status: 200,
        description: 'What it found.',
        schema: FindingSchema,
        example,
      },
      errors: ['check_not_found'],
      handle: async ({ params }) => {
        const check = checks.find(({ name }) => name === params.check);
        if (!check) throw new Problem('check_not_found');
        return await run(check);
      },
    }),
  ];
}
