import { ApiProblem } from '../../api/problem.ts';
import type { Vocabulary } from '../../messages/vocabulary.ts';

type Words = Vocabulary['sign_in'];

/** A refused sign-in is not a broken session; its words are about what was typed. */
export function inWords(error: unknown, t: Words, wrong = t.wrong): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const { status, code, retry_after_seconds = 1 } = error;
  const refusals: Record<string, string> = t.refusals;
  const known = refusals[code ?? ''];
  if (known !== undefined) return new ApiProblem({ status, code, detail: known });
  if (status === 401) return new ApiProblem({ status, code, detail: wrong });
  if (status === 429) return new ApiProblem({ status, code, detail: t.wait(retry_after_seconds) });
  return error;
}
