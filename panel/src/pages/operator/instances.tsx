import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { OperatorInstance } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { InstanceDialog } from './instance-dialog.tsx';
import { NewInstanceDialog } from './new-instance-dialog.tsx';
import { RowAction } from './row-action.tsx';
import { words } from './words.ts';

export function Instances() {
  const t = useWords(words);
  const [state, change] = useUrlState();
  const { search, page, open } = state;
  const query = readOf('operator_list_instances', { query: { search, page: Number(page ?? 1) } });
  const chosen = useQuery({
    ...readOf('operator_get_instance', { params: { slug: open ?? '' } }),
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
        empty={
          <EmptyState icon={IconBuilding} title={t.no_instances}>
            {t.no_instances_about}
          </EmptyState>
        }
      />
      <NewInstanceDialog opened={open === 'new'} onClose={close} />
      {chosen.data?.slug === open && chosen.data && <InstanceDialog instance={chosen.data} onClose={close} />}
    </>
  );
}

function useColumns(onChange: (slug: string) => void): Column<OperatorInstance>[] {
  const t = useWords(words);
  const { number } = useFormat();
  return [
    { name: 'slug', header: t.slug, cell: ({ slug }) => slug },
    { name: 'name', header: t.name, width: '26%', cell: ({ name }) => name, from: 'sm' },
    {
      name: 'state',
      header: t.state,
      width: '9rem',
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
      width: '10rem',
      align: 'end',
      cell: ({ plan_send_limit }) => (plan_send_limit === null ? t.no_limit : number(plan_send_limit)),
      from: 'md',
    },
    {
      name: 'created',
      header: t.created,
      width: '11rem',
      cell: ({ created_at }) => <Time at={created_at} />,
      from: 'lg',
    },
    {
      name: 'change',
      header: t.actions,
      width: '6rem',
      align: 'end',
      cell: ({ slug }) => (
        <RowAction label={t.change_of(slug)} onClick={() => onChange(slug)}>
          {t.change}
        </RowAction>
      ),
    },
  ];
}
