import { Text } from '@mantine/core';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import type { Webhook, WebhookDelivery } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { AddButton } from '../../parts/add-button.tsx';
import { Section } from '../../parts/detail.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { datesOf } from '../../parts/range.ts';
import { Time } from '../../parts/time.tsx';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { eventTypes, type EventType } from '../webhooks/event-types.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { deliveryStates, DeliveryState, type State } from './delivery-state.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

/** What was and will be posted to a webhook, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhook');
  const names = useMessages('webhook_events');
  const api = useApi();
  const { timezone } = useInstance();
  const [state, change] = useUrlState();
  const { state: wanted, type, range, page, open: opened } = state;
  const query = {
    state: wanted as State | undefined,
    type: type as EventType | undefined,
    ...(range === undefined ? {} : datesOf(range, timezone)),
    page: Number(page ?? 1),
  };
  return (
    <Section
      title={t.deliveries}
      actions={
        webhook.is_active && (
          <AddButton
            variant="default"
            size="xs"
            label={t.replay_many}
            icon={IconRefresh}
            needs="panel_replay_webhook"
            dialog={(dialog) => <ReplayDialog webhook={webhook} {...dialog} />}
          />
        )
      }
    >
      <ListBody
        label={t.deliveries}
        filters={[
          {
            kind: 'select',
            name: 'state',
            label: t.state,
            options: deliveryStates.map((value) => ({ value, label: t.states[value] })),
          },
          {
            kind: 'select',
            name: 'type',
            label: t.event,
            options: eventTypes.map((value) => ({ value, label: names[value].name })),
          },
          { kind: 'range', name: 'range', label: t.event_at, initial: '30d' },
        ]}
        query={{
          ...api.read('panel_list_webhook_deliveries', { params: { id: webhook.id }, query }),
          refetchInterval: 5_000,
        }}
        columns={useColumns()}
        choice="webhook_deliveries"
        idOf={({ id }) => id}
        to={({ id }) => ({ page: 'webhook', id: webhook.id, search: { ...state, open: String(id) } })}
        empty={{ icon: IconSend, title: t.empty, about: t.empty_about }}
      />
      <DeliveryDialog
        webhook={webhook}
        delivery_id={opened === undefined ? undefined : Number(opened)}
        onClose={() => change({ open: undefined })}
      />
    </Section>
  );
}

function useColumns(): Column<WebhookDelivery>[] {
  const t = useMessages('webhook');
  const names = useMessages('webhook_events');
  return [
    { name: 'event', header: t.event, min: 9, grow: 1, cell: ({ type }) => names[type].name },
    {
      name: 'recipient',
      header: t.recipient,
      min: 12,
      grow: 2,
      cell: ({ recipient }) => recipient ?? '—',
      rank: 1,
    },
    {
      name: 'state',
      header: t.state,
      min: 7.5,
      cell: ({ state, next_attempt_at }) => (
        <>
          <DeliveryState state={state} />
          {next_attempt_at !== null && (
            <Text size="xs" c="dimmed" title={t.next_attempt}>
              <Time at={next_attempt_at} as="due" />
            </Text>
          )}
        </>
      ),
    },
    {
      name: 'answer',
      header: t.answer,
      min: 5,
      cell: ({ last_status_code, last_error }) => (
        <Text
          span
          inherit
          c={last_error === null ? undefined : 'var(--panel-alarm)'}
          title={last_error ?? undefined}
        >
          {last_status_code ?? last_error ?? '—'}
        </Text>
      ),
      rank: 1,
    },
    {
      name: 'attempts',
      header: t.attempts,
      min: 5.5,
      align: 'end',
      // It stands without its header below the row on narrow lists.
      cell: ({ attempts }) => `${attempts}×`,
      rank: 2,
    },
    {
      name: 'at',
      header: t.event_at,
      min: 10.5,
      align: 'end',
      cell: ({ event_at }) => <Time at={event_at} />,
      rank: 1,
    },
  ];
}
