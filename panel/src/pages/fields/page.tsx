import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconListDetails, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Field } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { FieldDialog } from './field-dialog.tsx';

/** The catalogue of what forms can ask for. */
export function Page() {
  const t = useMessages('fields');
  const api = useApi();
  const can = useCan();
  const [state, change] = useUrlState();
  const [adding, { open, close }] = useDisclosure();
  const { is_active, page, open: opened } = state;
  const query = {
    is_active: is_active === undefined ? undefined : is_active === 'true',
    page: Number(page ?? 1),
  };
  const chosen = useQuery({
    ...api.read('panel_get_field', { params: { id: Number(opened) } }),
    enabled: opened !== undefined && can('panel_update_field'),
  });
  const add = can('panel_create_field') && (
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
        filters={[
          {
            kind: 'select',
            name: 'is_active',
            label: t.state,
            options: (['true', 'false'] as const).map((value) => ({ value, label: t.states[value] })),
          },
        ]}
        query={api.read('panel_list_fields', { query })}
        columns={useColumns()}
        idOf={({ id }) => id}
        to={
          can('panel_update_field')
            ? ({ id }) => ({ page: 'fields', search: { ...state, open: String(id) } })
            : undefined
        }
        empty={
          <EmptyState icon={IconListDetails} title={t.empty} action={add}>
            {t.empty_about}
          </EmptyState>
        }
      />
      {can('panel_create_field') && <FieldDialog opened={adding} onClose={close} />}
      {opened !== undefined && chosen.data?.id === Number(opened) && (
        <FieldDialog opened field={chosen.data} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

function useColumns(): Column<Field>[] {
  const t = useMessages('fields');
  return [
    {
      name: 'name',
      header: t.name,
      cell: ({ name, is_system }) => (
        <Marked badge={is_system && <StatusBadge tone="quiet">{t.system}</StatusBadge>}>{name}</Marked>
      ),
    },
    { name: 'key', header: t.key, min: 10, grow: 3, cell: ({ field_key }) => <code>{field_key}</code> },
    { name: 'type', header: t.type, min: 11, cell: ({ type }) => t.types[type], rank: 1 },
    {
      name: 'state',
      header: t.state,
      min: 7,
      cell: ({ is_active }) => (
        <StatusBadge tone={is_active ? 'good' : 'quiet'}>
          {t.states[is_active ? 'true' : 'false']}
        </StatusBadge>
      ),
      rank: 1,
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
