import { Text, TextInput } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import type { LinkTakedown } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { AddButton } from '../../parts/add-button.tsx';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { useUrlState } from '../../parts/app/url-state.ts';

/** Hosts to which no link in mail leads, of any instance. */
export function LinkHosts() {
  const t = useMessages('operator');
  const [{ page }] = useUrlState();
  const takeDown = useAccountChange('operator_take_down_link_host', () => toast(t.links_taken_down));
  const restore = useAccountChange('operator_restore_link_host', () => toast(t.links_restored));
  const columns: Column<LinkTakedown>[] = [
    { name: 'host', header: t.link_host, cell: ({ host }) => host },
    { name: 'reason', header: t.reason, min: 10, grow: 3, cell: ({ reason }) => reason ?? '—', rank: 1 },
    {
      name: 'at',
      header: t.taken_down_at,
      min: 11,
      cell: ({ taken_down_at }) => <Time at={taken_down_at} />,
      rank: 2,
    },
    {
      name: 'restore',
      header: t.actions,
      min: 7,
      align: 'end',
      cell: ({ host }) => (
        <RowAction
          label={t.restore_links}
          named={t.restore_links_of(host)}
          about={t.restore_links_about(host)}
          isDangerous
          run={async () => await restore.mutateAsync({ params: { host } })}
        />
      ),
    },
  ];
  return (
    <>
      <AddButton
        mb="md"
        variant="default"
        icon={IconLinkOff}
        label={t.take_down_links}
        dialog={(state) => (
          <FormDialog
            {...state}
            title={t.take_down_links}
            initial={{ host: '', reason: '' }}
            submit={t.take_down_links}
            onSubmit={async ({ host, reason }) =>
              await takeDown.mutateAsync({ body: { host, ...(reason === '' ? {} : { reason }) } })
            }
          >
            {(form) => (
              <>
                <Text size="sm">{t.take_down_links_about}</Text>
                <TextInput
                  label={t.link_host}
                  placeholder="phish.example"
                  data-autofocus
                  {...form.getInputProps('host')}
                />
                <TextInput label={t.reason} description={t.reason_help} {...form.getInputProps('reason')} />
              </>
            )}
          </FormDialog>
        )}
      />
      <ListBody
        label={t.link_hosts}
        query={readOf('operator_list_link_takedowns', { query: { page: Number(page ?? 1) } })}
        columns={columns}
        idOf={({ host }) => host}
        empty={{ icon: IconLink, title: t.no_link_hosts, about: t.no_link_hosts_about }}
      />
    </>
  );
}
