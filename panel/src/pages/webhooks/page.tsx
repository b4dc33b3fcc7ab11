import { IconWebhook } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedWebhook, Webhook } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { EventCatalogue } from './event-catalogue.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookState } from './webhook-state.tsx';

export function Page() {
  const t = useMessages('webhooks');
  const api = useApi();
  const navigate = useNavigate();
  const [{ page }] = useUrlState();
  const [created, setCreated] = useState<CreatedWebhook>();
  return (
    <>
      <ListPage
        title={t.title}
        about={t.about}
        add={{
          label: t.add,
          needs: 'panel_create_webhook',
          dialog: (state) => <WebhookDialog {...state} onCreated={setCreated} />,
        }}
        query={api.read('panel_list_webhooks', { query: { page: Number(page ?? 1) } })}
        columns={useColumns()}
        idOf={({ id }) => id}
        to={({ id }) => ({ page: 'webhook', id })}
        empty={{ icon: IconWebhook, title: t.empty, about: t.empty_about }}
        below={<EventCatalogue />}
      />
      <SecretDialog
        title={t.secret}
        secrets={created && [{ label: t.secret, value: created.secret }]}
        onStored={() => {
          if (created) void navigate(linkTo(api.slug, { page: 'webhook', id: created.id }));
        }}
      >
        {t.secret_about}
      </SecretDialog>
    </>
  );
}

function useColumns(): Column<Webhook>[] {
  const t = useMessages('webhooks');
  const names = useMessages('webhook_events');
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    { name: 'state', header: t.state, min: 9.5, cell: (each) => <WebhookState webhook={each} /> },
    { name: 'url', header: t.url, min: 10, grow: 3, cell: ({ url }) => url, rank: 1 },
    {
      name: 'events',
      header: t.events,
      min: 10,
      grow: 2,
      cell: ({ events }) => (events === null ? t.all : events.map((each) => names[each].name).join(', ')),
      rank: 3,
    },
    {
      name: 'last',
      header: t.last_success,
      min: 11,
      align: 'end',
      cell: ({ last_success_at }) => <Time at={last_success_at} as="relative" />,
      rank: 2,
    },
  ];
}
