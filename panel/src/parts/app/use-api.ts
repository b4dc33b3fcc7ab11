import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { readOf } from '../../api/read.ts';
import type { Input, OperationId, Result } from '../../api/request.ts';
import { useInstance } from './instance.tsx';

/** The operations of the instance whose pages are open. */
export function useApi() {
  const { slug } = useInstance();
  return useMemo(
    () => ({
      slug,
      read: <Id extends OperationId>(id: Id, input: Input<Id>) => readOf(id, input, slug),
      call: async <Id extends OperationId>(id: Id, input: Input<Id>) => await call(id, input, { slug }),
    }),
    [slug],
  );
}

/** A change: what is shown is read again once it is made. */
export function useChange<Id extends OperationId>(
  id: Id,
  options: { onDone?: (result: Result<Id>, input: Input<Id>) => void } = {},
) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<Result<Id>, ApiProblem, Input<Id>>({
    mutationFn: async (input) => await api.call(id, input),
    onSuccess: async (result, input) => {
      options.onDone?.(result, input);
      await queries.invalidateQueries({ queryKey: [api.slug] });
    },
  });
}
