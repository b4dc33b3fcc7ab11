import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { OperatorInstance } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { InstanceDialog } from './instance-dialog.tsx';
import { NewInstanceDialog } from './new-instance-dialog.tsx';

export function Instances() {
  const t = useMessages('operator');
  const [state, change] = useUrlState();
  const { search, page, open } = state;
  const query = readOf('panel_operator_list_instances', { query: { search, page: Number(page ?? 1) } });
  const chosen = useQuery({
    ...readOf('panel_operator_get_instance', { params: { slug: open ?? '' } }),
    enabled: open !== undefined && open !== 'new',
  });
  const close = (): void => change({ open: undefined });
  return (
    <>
      <ListBody
        label={t.instances}
        filters={[{ kind: 'text', name: 'search', label: t.search }]}
        query={query}
        columns={useColumns((slug) => change({ open: slug }))}
        idOf={({ slug }) => slug}
        empty={{ icon: IconBuilding, title: t.no_instances, about: t.no_instances_about }}
      />
      <NewInstanceDialog opened={open === 'new'} onClose={close} />
      {chosen.data?.slug === open && chosen.data && <InstanceDialog instance={chosen.data} onClose={close} />}
    </>
  );
}

function useColumns(onChange: (slug: string) => void): Column<OperatorInstance>[] {
  const t = useMessages('operator');
  const { number } = useFormat();
  return [
    { name: 'slug', header: t.slug, cell: ({ slug }) => slug },
    { name: 'name', header: t.name, min: 10, grow: 3, cell: ({ name }) => name, rank: 1 },
    {
      name: 'state',
      header: t.state,
      min: 9,
      cell: ({ is_enabled, subscription_status }) => {
        if (!is_enabled) return <StatusBadge tone="bad">{t.states.disabled}</StatusBadge>;
        return subscription_status === 'active' ? (
          <StatusBadge tone="good">{t.states.enabled}</StatusBadge>
        ) : (
          <StatusBadge tone="warn">{t.states.inactive}</StatusBadge>
        );
      },
    },
    {
      name: 'plan',
      header: t.plan,
      min: 10,
      align: 'end',
      cell: ({ plan_send_limit }) => (plan_send_limit === null ? t.no_limit : number(plan_send_limit)),
      rank: 2,
    },
    {
      name: 'created',
      header: t.created,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 3,
    },
    {
      name: 'change',
      header: t.actions,
      min: 6,
      align: 'end',
      cell: ({ slug }) => <RowAction label={t.change} named={t.change_of(slug)} run={() => onChange(slug)} />,
    },
  ];
}
