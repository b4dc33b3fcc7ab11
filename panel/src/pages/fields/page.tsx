import { IconListDetails } from '@tabler/icons-react';
import type { Field } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { FieldDialog } from './field-dialog.tsx';

/** The catalogue of what forms can ask for. */
export function Page() {
  const t = useMessages('fields');
  const api = useApi();
  const [{ is_active, page }] = useUrlState();
  const query = {
    is_active: is_active === undefined ? undefined : is_active === 'true',
    page: Number(page ?? 1),
  };
  return (
    <ListPage
      title={t.title}
      about={t.about}
      add={{ label: t.add, needs: 'panel_create_field', dialog: (state) => <FieldDialog {...state} /> }}
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
      opens={{
        page: 'fields',
        needs: 'panel_update_field',
        read: (id) => api.read('panel_get_field', { params: { id: Number(id) } }),
        dialog: (field, onClose) => <FieldDialog opened field={field} onClose={onClose} />,
      }}
      empty={{ icon: IconListDetails, title: t.empty, about: t.empty_about }}
    />
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
