import { Progress, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../api/operations.ts';
import { Facts, Section } from '../../parts/detail.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';

/** How fast, how much waits, how much of the plan is used. */
export function Standing({ latency }: { latency: Overview['latency'] | undefined }) {
  const t = useMessages('overview');
  const api = useApi();
  const { number, seconds } = useFormat();
  const queue = useQuery({ ...api.read('panel_get_queue', {}), refetchInterval: 30_000 }).data;
  const plan = useQuery(api.read('panel_get_attention', {})).data?.plan;
  if (!queue || !plan || !latency) return <Skeleton height={240} radius="lg" />;
  const { depth, held, oldest_due_at, is_under_way } = queue;
  const time = (value: number | null): string => (value === null ? '—' : seconds(value));
  return (
    <>
      <Section title={t.latency}>
        <Facts
          facts={[
            { name: t.p50, value: time(latency.p50_seconds) },
            { name: t.p95, value: time(latency.p95_seconds) },
          ]}
        />
      </Section>
      <Section title={t.queue}>
        {depth === 0 && held === 0 ? (
          t.queue_empty
        ) : (
          <Facts
            facts={[
              { name: t.waiting, value: <PageLink page="queue">{number(depth)}</PageLink> },
              held > 0 && { name: t.held, value: number(held) },
              oldest_due_at !== null && {
                name: t.next,
                value: is_under_way ? t.under_way : <Time at={oldest_due_at} as="due" />,
              },
            ]}
          />
        )}
      </Section>
      <Section title={t.plan}>
        {plan.limit === null ? (
          t.plan_unlimited
        ) : (
          <>
            <Text size="sm" mb="xs">
              {t.plan_used(number(plan.used), plan.limit)}
            </Text>
            <Progress
              value={Math.min(100, (plan.used / Math.max(1, plan.limit)) * 100)}
              color={plan.used >= plan.limit ? 'red' : 'green'}
              aria-label={t.plan}
            />
          </>
        )}
      </Section>
    </>
  );
}
