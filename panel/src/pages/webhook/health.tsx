import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WebhookHealth } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import { deliveryStates } from './delivery-state.tsx';
import styles from './health.module.css';

const refreshMs = 10_000;

/** What became of the deliveries of the last day, hour by hour. */
export function Health({ id }: { id: number }) {
  const t = useMessages('webhook');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_get_webhook_health', { params: { id } }),
    refetchInterval: refreshMs,
  });
  return (
    <Section title={t.health}>
      {data ? <HealthBar id={id} health={data} /> : <Skeleton height={88} />}
    </Section>
  );
}

function HealthBar({ id, health: { hours, is_exact } }: { id: number; health: WebhookHealth }) {
  const t = useMessages('webhook');
  const { number, percent } = useFormat();
  const totals = deliveryStates.map((state) => ({
    state,
    count: hours.reduce((sum, hour) => sum + hour[state], 0),
  }));
  const total = totals.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.health_none}
      </Text>
    );
  }
  const delivered = totals.find(({ state }) => state === 'delivered')?.count ?? 0;
  return (
    <>
      <Text fw={600} mb="xs">
        {t.health_share(percent(delivered / total))}
      </Text>
      <div className={styles['hours']} aria-hidden>
        {hours.map((hour) => (
          <Hour key={hour.at} hour={hour} />
        ))}
      </div>
      <Group gap="lg" mt="sm">
        {totals
          .filter(({ count }) => count > 0)
          .map(({ state, count }) => (
            <PageLink key={state} page="webhook" id={id} search={{ state }} size="sm" c="inherit">
              {t.states[state]}: {number(count)}
            </PageLink>
          ))}
      </Group>
      {!is_exact && (
        <Text size="xs" c="dimmed" mt="xs">
          {t.health_newest}
        </Text>
      )}
    </>
  );
}

/** A bar of the parts that each state has. */
function Hour({ hour }: { hour: WebhookHealth['hours'][number] }) {
  const t = useMessages('webhook');
  const { number, moment } = useFormat();
  const parts = deliveryStates.filter((state) => hour[state] > 0);
  const told = parts.map((state) => `${t.states[state]}: ${number(hour[state])}`);
  return (
    <div className={styles['hour']} title={[moment(hour.at), ...told].join('\n')}>
      {parts.map((state) => (
        <span key={state} data-state={state} style={{ flexGrow: hour[state] }} />
      ))}
    </div>
  );
}
