import { Stack } from '@mantine/core';
import { useMessages } from '../../messages/use-messages.ts';
import { useAdding } from '../../parts/add-button.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { ForwardAddresses } from './forward-addresses.tsx';
import { Forwards } from './forwards.tsx';
import { RouteDialog } from './route-dialog.tsx';
import { RouteLists } from './route-lists.tsx';
import { TryAddress } from './try-address.tsx';

/** What happens to mail that comes in, where it is sent on, and what became of that. */
export function Page() {
  const t = useMessages('routes');
  const adding = useAdding(
    {
      label: t.add,
      needs: 'panel_create_inbound_route',
      dialog: (state) => <RouteDialog {...state} />,
    },
    {},
    { isOfPage: true },
  );
  return (
    <main>
      <PageHeader title={t.title} actions={adding?.button}>
        {t.about}
      </PageHeader>
      <UrlTabs
        label={t.title}
        tabs={[
          {
            name: 'routes',
            label: t.list,
            content: () => (
              <Stack gap="md">
                <TryAddress />
                <RouteLists action={adding?.button} />
              </Stack>
            ),
          },
          { name: 'forwards', label: t.forwards, content: () => <Forwards /> },
          { name: 'addresses', label: t.addresses, content: () => <ForwardAddresses /> },
        ]}
      />
      {adding?.dialog}
    </main>
  );
}
