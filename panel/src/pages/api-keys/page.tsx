import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { KeyDetail } from './key-detail.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyUses } from './key-uses.tsx';
import { stateOf, stateTones } from './scopes.ts';

export function Page() {
  const t = useMessages('api_keys');
  const api = useApi();
  const can = useCan();
  const [state, change] = useUrlState();
  const [adding, { open, close }] = useDisclosure();
  const [created, setCreated] = useState<CreatedApiKey>();
  const keys = api.read('panel_list_api_keys', { query: { page: Number(state['page'] ?? 1) } });
  const chosen = useQuery(keys).data?.data.find(({ id }) => id === state['open']);
  const add = can('panel_create_api_key') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {t.add}
    </Button>
  );
  return (
    <>
      <ListPage
        title={t.title}
        about={t.about}
        actions={add}
        query={keys}
        columns={useColumns()}
        idOf={({ id }) => id}
        to={({ id }) => ({ page: 'api_keys', search: { ...state, open: id } })}
        empty={
          <EmptyState icon={IconKey} title={t.empty} action={add}>
            {t.empty_about}
          </EmptyState>
        }
      />
      {chosen && <KeyDetail apiKey={chosen} onClose={() => change({ open: undefined })} />}
      {can('panel_create_api_key') && <KeyDialog opened={adding} onClose={close} onCreated={setCreated} />}
      <SecretDialog
        title={t.secret_title}
        secrets={created && [{ label: t.secret, value: created.api_key }]}
        onStored={() => setCreated(undefined)}
      >
        {created?.scopes.includes('mail:send') && <KeyUses slug={api.slug} />}
      </SecretDialog>
    </>
  );
}

function useColumns(): Column<ApiKey>[] {
  const t = useMessages('api_keys');
  return [
    {
      name: 'name',
      header: t.name,
      cell: ({ name, sandbox_only }) => (
        <Group gap="xs" wrap="nowrap" component="span">
          {name}
          {sandbox_only && <StatusBadge tone="warn">{t.sandbox}</StatusBadge>}
        </Group>
      ),
    },
    {
      name: 'key',
      header: t.key,
      min: 14,
      cell: ({ id }) => <code>{`chq.${id}.…`}</code>,
      rank: 2,
    },
    { name: 'scopes', header: t.scopes, min: 10, grow: 3, cell: ({ scopes }) => scopes.join(', '), rank: 1 },
    {
      name: 'state',
      header: t.state,
      min: 7,
      cell: (key) => <StatusBadge tone={stateTones[stateOf(key)]}>{t.states[stateOf(key)]}</StatusBadge>,
    },
    {
      name: 'created',
      header: t.created,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 3,
    },
  ];
}
