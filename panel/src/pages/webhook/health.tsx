import { Group, Progress, Skeleton, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Section } from '../../parts/detail.tsx';
import { datesOf } from '../../parts/range.ts';
import { useFormat } from '../../shell/format.ts';
import { useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useApi } from '../../shell/use-api.ts';
import { deliveryStates, type State } from './delivery-state.tsx';
import { words } from './words.ts';

const colors = {
  delivered: 'var(--panel-accent)',
  failed: 'var(--panel-alarm)',
  pending: 'var(--panel-warn)',
  discarded: 'var(--mantine-color-dimmed)',
} satisfies Record<State, string>;
/** Beyond it the service does not count. */
const most_counted = 10_000;

/** What became of the deliveries of yesterday and today. */
export function Health({ id }: { id: number }) {
  const t = useWords(words);
  const api = useApi();
  const { number, percent } = useFormat();
  const { timezone } = useInstance();
  const dates = datesOf('24h', timezone);
  const counts = useQueries({
    queries: deliveryStates.map((state) => ({
      ...api.read('panel_list_webhook_deliveries', {
        params: { id },
        query: { state, ...dates, page_size: 1 },
      }),
      refetchInterval: 10_000,
    })),
    combine: (answers) =>
      answers.map(({ data }, index) => ({
        state: deliveryStates[index] ?? 'pending',
        count: data && (data.pagination.total_items ?? most_counted),
        isExact: data?.pagination.total_items !== null,
      })),
  });
  const total = counts.reduce((sum, { count = 0 }) => sum + count, 0);
  const [delivered] = counts;
  const isKnown = counts.every(({ count }) => count !== undefined);
  const isExact = counts.every((each) => each.isExact);
  return (
    <Section title={t.health}>
      {!isKnown && <Skeleton height={40} />}
      {isKnown && total === 0 && (
        <Text size="sm" c="dimmed">
          {t.health_none}
        </Text>
      )}
      {isKnown && total > 0 && (
        <>
          {isExact && (
            <Text fw={600} mb="xs">
              {t.health_share(percent((delivered?.count ?? 0) / total))}
            </Text>
          )}
          <Progress.Root size="lg" aria-hidden>
            {counts.map(({ state, count = 0 }) => (
              <Progress.Section key={state} value={(count / total) * 100} color={colors[state]} />
            ))}
          </Progress.Root>
          <Group gap="lg" mt="sm">
            {counts
              .filter(({ count }) => count)
              .map(({ state, count = 0, isExact: isCounted }) => (
                <PageLink key={state} page="webhook" id={id} search={{ state }} size="sm" c="inherit">
                  {t.states[state]}: {isCounted ? number(count) : t.more_than(number(count))}
                </PageLink>
              ))}
          </Group>
        </>
      )}
    </Section>
  );
}
