import { Type } from 'typebox';
import { Problem } from '../../base/errors/problem.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { examine, type Check, type Finding } from '../checks.ts';

const tag = 'Operator';
const path = '/v1/private/operator/checks' as const;
const access = { kind: 'operator' } as const;

const FindingSchema = Type.Object(
  {
    check: Type.String(),
    ok: Type.Boolean(),
    detail: Type.String({ description: 'What was found, in words.' }),
  },
  { $id: 'Finding' },
);

/** The checks of `chasqui doctor`, one by one: some read every mail of the last days. */
export function operatorCheckRoutes(checks: Check[]): Operation[] {
  const running = new Map<string, Promise<Finding>>();

  /** Whoever asks while it runs gets the same finding. */
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
      description: 'Those of `chasqui doctor`, in their order. Run each by its name.',
      access,
      success: {
        status: 200,
        description: 'The names.',
        schema: Type.Object({ data: Type.Array(Type.Object({ check: Type.String() })) }),
        example: { data: [{ check: 'database' }] },
      },
      errors: [],
      handle: async () => ({ data: checks.map(({ name }) => ({ check: name })) }),
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
        example: { check: 'database', ok: true, detail: 'embedded, version 18.4' },
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
