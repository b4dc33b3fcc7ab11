import { TextInput } from '@mantine/core';
import { IconServer } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedSmtpCredential, SmtpCredential } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { Connect } from './connect.tsx';
import { CredentialDetail } from './credential-detail.tsx';

export function Page() {
  const t = useMessages('smtp_credentials');
  const api = useApi();
  const [{ page }] = useUrlState();
  const [created, setCreated] = useState<CreatedSmtpCredential>();
  const create = useChange('panel_create_smtp_credential', { onDone: setCreated });
  const query = api.read('panel_list_smtp_credentials', { query: { page: Number(page ?? 1) } });
  const credentials = useQuery(query).data?.data ?? [];
  return (
    <>
      <ListPage
        title={t.title}
        about={t.about}
        add={{
          label: t.add,
          needs: 'panel_create_smtp_credential',
          dialog: (state) => (
            <FormDialog
              {...state}
              title={t.add}
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
          ),
        }}
        query={query}
        columns={useColumns()}
        idOf={({ id }) => id}
        opens={{
          page: 'smtp_credentials',
          dialog: (credential, onClose) => <CredentialDetail credential={credential} onClose={onClose} />,
        }}
        empty={{ icon: IconServer, title: t.empty, about: t.empty_about }}
        below={<Connect username={credentials.findLast(({ revoked_at }) => revoked_at === null)?.username} />}
      />
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
    </>
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
