import { validationProblem, type Problem } from '../errors/problem.ts';

/** For operations that answer nothing with 400. */
export function undecodable(message: string): Problem {
  return validationProblem([{ pointer: '', code: 'value_error.encoding', message }]);
}
