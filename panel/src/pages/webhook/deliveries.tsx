import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import type { Webhook, WebhookDelivery } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { datesOf } from '../../parts/range.ts';
import { Time } from '../../parts/time.tsx';
import { useCan, useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { eventTypes, eventWords, type EventType } from '../webhooks/event-words.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { deliveryStates, DeliveryState, type State } from './delivery-state.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { words } from './words.ts';

/** What was and will be posted to a webhook, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useWords(words);
  const names = useWords(eventWords);
  const api = useApi();
  const can = useCan();
  const { timezone } = useInstance();
  const [state, change] = useUrlState();
  const [replaying, { open, close }] = useDisclosure();
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
        can('panel_replay_webhook') &&
        webhook.is_active && (
          <Button variant="default" size="xs" leftSection={<IconRefresh size={14} />} onClick={open}>
            {t.replay_many}
          </Button>
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
        idOf={({ id }) => id}
        to={({ id }) => ({ page: 'webhook', id: webhook.id, search: { ...state, open: String(id) } })}
        empty={
          <EmptyState icon={IconSend} title={t.empty}>
            {t.empty_about}
          </EmptyState>
        }
      />
      <DeliveryDialog
        webhook={webhook}
        delivery_id={opened === undefined ? undefined : Number(opened)}
        onClose={() => change({ open: undefined })}
      />
      <ReplayDialog webhook={webhook} opened={replaying} onClose={close} />
    </Section>
  );
}

function useColumns(): Column<WebhookDelivery>[] {
  const t = useWords(words);
  const names = useWords(eventWords);
  return [
    { name: 'event', header: t.event, cell: ({ type }) => names[type].name },
    { name: 'state', header: t.state, width: '7.5rem', cell: ({ state }) => <DeliveryState state={state} /> },
    {
      name: 'answer',
      header: t.answer,
      width: '6.5rem',
      cell: ({ last_status_code, last_error }) => (
        <span title={last_error ?? undefined}>{last_status_code ?? last_error ?? '—'}</span>
      ),
      from: 'md',
    },
    {
      name: 'attempts',
      header: t.attempts,
      width: '5.5rem',
      align: 'end',
      cell: ({ attempts }) => attempts,
      from: 'lg',
    },
    {
      name: 'at',
      header: t.event_at,
      width: '10.5rem',
      align: 'end',
      cell: ({ event_at }) => <Time at={event_at} />,
      from: 'sm',
    },
  ];
}
