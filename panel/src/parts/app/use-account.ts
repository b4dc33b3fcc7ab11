import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { needsSecondFactor, refresh } from '../../api/session.ts';
import type { Input, OperationId, Result } from '../../api/request.ts';

/** A change of the account: what is shown of it is read again. */
export function useAccountChange<Id extends OperationId>(id: Id, onDone?: (result: Result<Id>) => void) {
  const queries = useQueryClient();
  return useMutation<Result<Id>, ApiProblem, Input<Id>>({
    mutationFn: async (input) => await call(id, input),
    onSuccess: async (result) => {
      onDone?.(result);
      await queries.invalidateQueries({ queryKey: [null] });
      // Instances that were waiting for a second factor open.
      if (needsSecondFactor()) await refresh().catch(() => undefined);
    },
  });
}
