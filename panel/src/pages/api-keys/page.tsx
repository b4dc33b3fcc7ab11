import { Group } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
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
  const [{ page }] = useUrlState();
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <>
      <ListPage
        title={t.title}
        about={t.about}
        add={{
          label: t.add,
          needs: 'panel_create_api_key',
          dialog: (state) => <KeyDialog {...state} onCreated={setCreated} />,
        }}
        query={api.read('panel_list_api_keys', { query: { page: Number(page ?? 1) } })}
        columns={useColumns()}
        idOf={({ id }) => id}
        opens={{ page: 'api_keys', dialog: (key, onClose) => <KeyDetail apiKey={key} onClose={onClose} /> }}
        empty={{ icon: IconKey, title: t.empty, about: t.empty_about }}
      />
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
      name: 'used',
      header: t.last_used,
      min: 11,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t.never_used),
      rank: 4,
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
