import { type Problem, validationProblem } from '../../base/errors/problem.ts';

/** Of a body that is an object with known members. */
export function membersOf(body: unknown, known: string[]): Record<string, unknown> {
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const extra = Object.keys(members).find((name) => !known.includes(name));
  if (extra !== undefined) throw refused(extra, `\`${extra.slice(0, 100)}\` is not known here.`);
  return members;
}

export function refused(field: string, message: string): Problem {
  return validationProblem([{ pointer: `/${field}`, code: 'value_error', message }]);
}
