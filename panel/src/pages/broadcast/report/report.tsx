import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Broadcast } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useApi } from '../../../parts/app/use-api.ts';
import { Section } from '../../../parts/detail.tsx';
import { ProblemAlert } from '../../../parts/problem-alert.tsx';
import { LeftOut } from '../left-out.tsx';
import { Funnel } from './funnel.tsx';
import { Hours } from './hours.tsx';
import { Links } from './links.tsx';
import { Previous } from './previous.tsx';
import { Providers } from './providers.tsx';

/** It reads all mails of the broadcast. */
const freshMs = 15_000;

/** What came of a broadcast so far. */
export function Report({ broadcast: { id, state } }: { broadcast: Broadcast }) {
  const t = useMessages('broadcast_report');
  const api = useApi();
  const { data, error } = useQuery({
    ...api.read('panel_report_broadcast', { params: { id } }),
    staleTime: freshMs,
    refetchInterval: state === 'sending' ? freshMs : false,
    retry: false,
  });
  if (error) return <ProblemAlert problem={error} />;
  if (!data) return <Skeleton height={320} />;
  return (
    <>
      <Funnel report={data} />
      {data.hours.length > 0 && <Hours report={data} />}
      <Links report={data} />
      <Providers report={data} />
      <Previous report={data} />
      {data.left_out.length + data.not_in_audience.length > 0 && (
        <Section>
          <Stack gap="md">
            <LeftOut title={t.left_out} rows={data.left_out} />
            <LeftOut title={t.not_in_audience} rows={data.not_in_audience} />
          </Stack>
        </Section>
      )}
    </>
  );
}
