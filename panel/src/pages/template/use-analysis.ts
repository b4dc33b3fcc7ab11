import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MailTemplateAnalysis } from '../../api/operations.ts';
import { ApiProblem } from '../../api/problem.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { variablesOf, type Samples } from './sample-variables.ts';
import { contentOf, type Draft } from './use-draft.ts';

export interface Analysis {
  latest: MailTemplateAnalysis | undefined;
  /** The last one without problems: what is shown while there are some. */
  good: MailTemplateAnalysis | undefined;
  error: unknown;
  isBehind: boolean;
}

const pauseMs = 400;

/** What the service says about the draft, once the typing rests. */
export function useAnalysis(draft: Draft, samples: Samples): Analysis {
  const api = useApi();
  const [rested] = useDebouncedValue(draft, pauseMs);
  const [values] = useDebouncedValue(samples, pauseMs);
  const body = useMemo(() => {
    const { 'recipient.name': name, 'recipient.email': email } = values;
    return { ...contentOf(rested), recipient: { name, email }, template_variables: variablesOf(values) };
  }, [rested, values]);
  const { data, error, isFetching } = useQuery({
    ...api.read('panel_analyse_template', { body }),
    staleTime: Infinity,
    gcTime: 30_000,
    refetchOnWindowFocus: false,
    // More than the service takes in a minute: it says when it takes the next.
    retry: (count, problem) => isHurried(problem) && count < 5,
    retryDelay: (_count, problem) => (problem.retry_after_seconds ?? 1) * 1000,
  });
  const [good, setGood] = useState<MailTemplateAnalysis>();
  useEffect(() => {
    if (data?.preview) setGood(data);
  }, [data]);
  return { latest: data, good, error, isBehind: isFetching || rested !== draft };
}

function isHurried(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.status === 429;
}
