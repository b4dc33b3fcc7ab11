import { Button, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedSmtpCredential, SmtpCredential } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { Connect } from './connect.tsx';
import { CredentialDetail } from './credential-detail.tsx';

export function Page() {
  const t = useMessages('smtp_credentials');
  const api = useApi();
  const can = useCan();
  const [state, change] = useUrlState();
  const [adding, { open, close }] = useDisclosure();
  const [created, setCreated] = useState<CreatedSmtpCredential>();
  const create = useChange('panel_create_smtp_credential', { onDone: setCreated });
  const query = api.read('panel_list_smtp_credentials', { query: { page: Number(state['page'] ?? 1) } });
  const credentials = useQuery(query).data?.data ?? [];
  const chosen = credentials.find(({ id }) => id === state['open']);
  const add = can('panel_create_smtp_credential') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {t.add}
    </Button>
  );
  return (
    <main>
      <PageHeader title={t.title} actions={add}>
        {t.about}
      </PageHeader>
      <Stack gap="lg">
        <ListBody
          label={t.title}
          query={query}
          columns={useColumns()}
          idOf={({ id }) => id}
          to={({ id }) => ({ page: 'smtp_credentials', search: { ...state, open: id } })}
          empty={
            <EmptyState icon={IconServer} title={t.empty} action={add}>
              {t.empty_about}
            </EmptyState>
          }
        />
        <Connect username={credentials.findLast(({ revoked_at }) => revoked_at === null)?.username} />
      </Stack>
      {chosen && <CredentialDetail credential={chosen} onClose={() => change({ open: undefined })} />}
      <FormDialog
        title={t.add}
        opened={adding}
        onClose={close}
        initial={{ name: '' }}
        submit={t.add}
        onSubmit={async (body) => await create.mutateAsync({ body })}
      >
        {(form) => (
          <TextInput
            label={t.name}
            description={t.name_help}
            data-autofocus
            {...form.getInputProps('name')}
          />
        )}
      </FormDialog>
      <SecretDialog
        title={t.secret_title}
        secrets={
          created && [
            { label: t.username, value: created.username },
            { label: t.password, value: created.password },
          ]
        }
        onStored={() => setCreated(undefined)}
      />
    </main>
  );
}

function useColumns(): Column<SmtpCredential>[] {
  const t = useMessages('smtp_credentials');
  const state = ({ revoked_at }: SmtpCredential) => (revoked_at === null ? 'active' : 'revoked');
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    {
      name: 'username',
      header: t.username,
      min: 16,
      cell: ({ username }) => <code>{username}</code>,
      rank: 1,
    },
    {
      name: 'state',
      header: t.state,
      min: 8,
      cell: (row) => (
        <StatusBadge tone={row.revoked_at === null ? 'good' : 'quiet'}>{t.states[state(row)]}</StatusBadge>
      ),
    },
    {
      name: 'created',
      header: t.created,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 2,
    },
  ];
}
