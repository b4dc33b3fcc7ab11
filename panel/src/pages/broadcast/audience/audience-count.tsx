import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Broadcast } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { useApi } from '../../../parts/app/use-api.ts';
import { Section } from '../../../parts/detail.tsx';
import { ProblemAlert } from '../../../parts/problem-alert.tsx';
import { LeftOut } from '../left-out.tsx';

/** Who would be written to now; undefined while it is counted. */
export function useAudience(audience: Broadcast['audience']) {
  const api = useApi();
  return useQuery({
    ...api.read('panel_count_audience', { body: audience }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
}

export function AudienceCount({ audience }: { audience: Broadcast['audience'] }) {
  const t = useMessages('broadcast');
  const { number } = useFormat();
  const { data, error, isFetching } = useAudience(audience);
  return (
    <Section title={t.audience}>
      <Stack gap="sm" aria-busy={isFetching}>
        <div role="status">
          <Text size="sm" c="dimmed">
            {t.count}
          </Text>
          <Text fz={32} fw={600} lh={1.2}>
            {data ? number(data.count) : '…'}
          </Text>
        </div>
        <ProblemAlert problem={error} />
        {data && (
          <>
            <LeftOut title={t.left_out} rows={data.left_out} nobody={t.nobody_left_out} />
            {data.sample.length > 0 && (
              <details>
                <summary>{t.sample}</summary>
                {data.sample.map((each) => (
                  <Text key={each} size="sm">
                    {each}
                  </Text>
                ))}
              </details>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}
