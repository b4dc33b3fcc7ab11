import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InboundRoute } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { Section } from '../../parts/detail.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { OrderedList } from '../../parts/ordered-list.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { routeAddress } from './route-address.ts';
import { RouteDialog } from './route-dialog.tsx';

const tones: Record<InboundRoute['action'], Tone> = {
  webhook: 'good',
  store: 'quiet',
  forward: 'info',
  reject: 'warn',
};

/** The routes of each domain, in the order in which they decide. */
export function RouteLists({ action }: { action: ReactNode }) {
  const t = useMessages('routes');
  const api = useApi();
  const [{ open }, change] = useUrlState();
  const { data, error } = useQuery(api.read('panel_list_inbound_routes', { query: { page_size: 100 } }));
  if (error) return <ProblemAlert problem={error} />;
  if (!data) return <Skeleton height={240} radius="lg" mt="md" />;
  if (data.data.length === 0)
    return (
      <EmptyState icon={IconRoute} title={t.empty} action={action}>
        {t.empty_about}
      </EmptyState>
    );
  const opened = data.data.find(({ id }) => String(id) === open);
  return (
    <>
      {[...Map.groupBy(data.data, ({ domain_id }) => domain_id).values()].map((routes) => (
        <DomainRoutes key={routes[0]?.domain_id} routes={routes} />
      ))}
      {opened && <RouteDialog opened route={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

function DomainRoutes({ routes }: { routes: InboundRoute[] }) {
  const t = useMessages('routes');
  const can = useCan();
  const order = useChange('panel_order_inbound_routes', { onDone: () => toast(t.ordered) });
  const [first] = routes;
  if (!first) return null;
  const { domain, domain_id } = first;
  const mayOrder = can('panel_order_inbound_routes') && routes.length > 1;
  return (
    <Section title={domain}>
      <OrderedList
        label={domain}
        rows={routes.toSorted((a, b) => a.position - b.position)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        onOrder={mayOrder ? (ids) => order.mutate({ body: { domain_id, ids } }) : undefined}
      >
        {(route) => <RouteRow route={route} />}
      </OrderedList>
      <ProblemAlert problem={order.error} />
    </Section>
  );
}

function RouteRow({ route }: { route: InboundRoute }) {
  const t = useMessages('routes');
  const can = useCan();
  const [, change] = useUrlState();
  const { name, action, is_active, forward_to } = route;
  return (
    <Group justify="space-between" gap="xs" wrap="wrap">
      <div style={{ minWidth: 0 }}>
        <Text fw={600} truncate>
          {name}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {routeAddress(route)}
          {forward_to.length > 0 && ` → ${forward_to.join(', ')}`}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {!is_active && <StatusBadge tone="quiet">{t.inactive}</StatusBadge>}
        <StatusBadge tone={is_active ? tones[action] : 'quiet'}>{t.actions[action]}</StatusBadge>
        {can('panel_update_inbound_route') && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`${t.edit}: ${name}`}
            onClick={() => change({ open: String(route.id) })}
          >
            {t.edit}
          </Button>
        )}
      </Group>
    </Group>
  );
}
