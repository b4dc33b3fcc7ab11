import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { ApiProblem } from './problem.ts';
import type { Input, OperationId, Result } from './request.ts';

/** A read of an operation for `useQuery`; old data stays while new data loads. */
export function readOf<Id extends OperationId>(id: Id, input: Input<Id>, slug?: string) {
  return queryOptions<Result<Id>, ApiProblem>({
    queryKey: [slug ?? null, id, input],
    queryFn: async ({ signal }) => await call(id, input, { slug, signal }),
    placeholderData: keepPreviousData,
  });
}
