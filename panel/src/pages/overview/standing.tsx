import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts, Section } from '../../parts/detail.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { useApi } from '../../shell/use-api.ts';
import { words } from './words.ts';

/** The queue and the plan, beside the chart. */
export function Standing() {
  const t = useWords(words);
  const api = useApi();
  const { number } = useFormat();
  const queue = useQuery({ ...api.read('panel_get_queue', {}), refetchInterval: 30_000 }).data;
  const instance = useQuery(api.read('panel_get_instance', {})).data;
  if (!queue || !instance) return <Skeleton height={160} radius="lg" />;
  const { depth, held, oldest_due_at } = queue;
  const { plan_send_limit, subscription_status } = instance;
  return (
    <>
      <Section title={t.queue}>
        {depth === 0 && held === 0 ? t.queue_empty : t.queue_depth(number(depth))}
        {held > 0 && <div>{t.held(number(held))}</div>}
        {depth > 0 && oldest_due_at && (
          <Facts facts={[{ name: t.oldest, value: <Time at={oldest_due_at} as="relative" /> }]} />
        )}
      </Section>
      <Section title={t.plan}>
        {subscription_status === 'inactive'
          ? t.plan_inactive
          : plan_send_limit === null
            ? t.plan_unlimited
            : t.plan_limit(number(plan_send_limit))}
      </Section>
    </>
  );
}
