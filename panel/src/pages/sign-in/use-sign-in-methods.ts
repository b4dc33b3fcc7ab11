import { useQuery } from '@tanstack/react-query';
import type { SignInMethods } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';

/** How one can sign in beside email and password; undefined until it is known. */
export function useSignInMethods(): SignInMethods | undefined {
  return useQuery({ ...readOf('panel_list_sign_in_methods', {}), staleTime: Infinity }).data;
}
