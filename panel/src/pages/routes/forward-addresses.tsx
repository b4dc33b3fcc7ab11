import { Group, TextInput } from '@mantine/core';
import { IconMailForward, IconMailPlus, IconTrash } from '@tabler/icons-react';
import type { ForwardAddress } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { ActionMenu } from '../../parts/actions.tsx';
import { useAdding } from '../../parts/add-button.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';

/** Addresses that were asked whether routes may forward to them. */
export function ForwardAddresses() {
  const t = useMessages('routes');
  const api = useApi();
  const [{ page }] = useUrlState();
  const adding = useAdding(
    {
      label: t.ask,
      icon: IconMailPlus,
      needs: 'panel_create_forward_address',
      dialog: (state) => <AskDialog {...state} />,
    },
    { variant: 'default' },
  );
  return (
    <>
      <Group justify="flex-end" mb="sm">
        {adding?.button}
      </Group>
      <ListBody
        label={t.addresses}
        query={api.read('panel_list_forward_addresses', { query: { page: Number(page ?? 1) } })}
        columns={useColumns()}
        idOf={({ id }) => id}
        empty={{ icon: IconMailForward, title: t.addresses_empty, about: t.addresses_empty_about }}
      />
      {adding?.dialog}
    </>
  );
}

function AskDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('routes');
  const ask = useChange('panel_create_forward_address', { onDone: () => toast(t.asked) });
  return (
    <FormDialog
      title={t.ask_title}
      opened={opened}
      onClose={onClose}
      initial={{ address: '' }}
      submit={t.ask}
      onSubmit={async (body) => await ask.mutateAsync({ body })}
    >
      {(form) => (
        <TextInput
          label={t.address}
          description={t.ask_help}
          type="email"
          data-autofocus
          {...form.getInputProps('address')}
        />
      )}
    </FormDialog>
  );
}

function useColumns(): Column<ForwardAddress>[] {
  const t = useMessages('routes');
  return [
    { name: 'address', header: t.address, cell: ({ address }) => address },
    {
      name: 'state',
      header: t.state,
      min: 8,
      cell: ({ is_verified }) => (
        <StatusBadge tone={is_verified ? 'good' : 'warn'}>{is_verified ? t.agreed : t.waiting}</StatusBadge>
      ),
    },
    { name: 'asked', header: t.asked_at, min: 10, rank: 1, cell: ({ asked_at }) => <Time at={asked_at} /> },
    {
      name: 'actions',
      header: t.actions_of,
      min: 6,
      align: 'end',
      cell: (row) => <AddressActions {...row} />,
    },
  ];
}

function AddressActions({ id, address, is_verified }: ForwardAddress) {
  const t = useMessages('routes');
  const can = useCan();
  const ask = useChange('panel_create_forward_address', { onDone: () => toast(t.asked) });
  const remove = useChange('panel_delete_forward_address', { onDone: () => toast(t.address_removed) });
  if (!can('panel_delete_forward_address')) return null;
  return (
    <ActionMenu
      actions={[
        !is_verified && {
          label: t.ask_again,
          icon: IconMailPlus,
          run: async () => await ask.mutateAsync({ body: { address } }),
        },
        {
          label: t.address_remove,
          icon: IconTrash,
          about: t.address_remove_about(address),
          isDangerous: true,
          run: async () => await remove.mutateAsync({ params: { id } }),
        },
      ]}
    />
  );
}
