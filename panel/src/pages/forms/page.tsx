import { Button } from '@mantine/core';
import { IconForms, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Form } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useCan, useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { FormState } from './form-state.tsx';

const truth = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value === 'true';
const oneOf = <Value extends string>(values: readonly Value[], value: string | undefined) =>
  values.find((each) => each === value);

export function Page() {
  const t = useMessages('forms');
  const api = useApi();
  const can = useCan();
  const { slug } = useInstance();
  const [{ name, kind, type, is_active, requires_confirmation, page }] = useUrlState();
  const query = {
    name,
    kind: oneOf(['consent', 'advanced'] as const, kind),
    type: oneOf(['registration', 'update'] as const, type),
    is_active: truth(is_active),
    requires_confirmation: truth(requires_confirmation),
    page: Number(page ?? 1),
  };
  const add = can('panel_create_form') && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} {...linkTo(slug, { page: 'form', id: 'new' })} />}
    >
      {t.add}
    </Button>
  );
  return (
    <ListPage
      title={t.title}
      about={t.about}
      actions={add}
      filters={useFilters()}
      query={api.read('panel_list_forms', { query })}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={({ id }) => ({ page: 'form', id })}
      empty={{ icon: IconForms, title: t.empty, about: t.empty_about, action: add }}
    />
  );
}

function useFilters(): Filter[] {
  const t = useMessages('forms');
  const either = (yes: string, no: string) => [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
  return [
    { kind: 'text', name: 'name', label: t.name },
    {
      kind: 'select',
      name: 'kind',
      label: t.kind,
      options: (['consent', 'advanced'] as const).map((value) => ({ value, label: t.kinds[value] })),
    },
    {
      kind: 'select',
      name: 'type',
      label: t.type,
      options: (['registration', 'update'] as const).map((value) => ({ value, label: t.types[value] })),
      more: true,
    },
    { kind: 'select', name: 'is_active', label: t.state, options: either(t.active, t.inactive) },
    {
      kind: 'select',
      name: 'requires_confirmation',
      label: t.confirmation,
      options: either(t.with_confirmation, t.without_confirmation),
      more: true,
    },
  ];
}

function useColumns(): Column<Form>[] {
  const t = useMessages('forms');
  const { number } = useFormat();
  return [
    {
      name: 'name',
      header: t.name,
      cell: ({ name, is_default }) => (
        <Marked badge={is_default && <StatusBadge tone="info">{t.default}</StatusBadge>}>{name}</Marked>
      ),
    },
    { name: 'state', header: t.state, min: 7, cell: (form) => <FormState form={form} /> },
    { name: 'type', header: t.type, min: 10, cell: ({ type }) => t.types[type], rank: 1 },
    { name: 'kind', header: t.kind, min: 10, cell: ({ kind }) => t.kinds[kind], rank: 2 },
    {
      name: 'confirmation',
      header: t.confirmation,
      min: 10,
      cell: ({ requires_confirmation }) => (requires_confirmation ? t.yes : t.no),
      rank: 2,
    },
    {
      name: 'items',
      header: t.items,
      isNumber: true,
      min: 6,
      align: 'end',
      cell: ({ items }) => number(items.length),
      rank: 1,
    },
    {
      name: 'updated',
      header: t.updated,
      min: 11,
      cell: ({ updated_at }) => <Time at={updated_at} />,
      rank: 1,
    },
  ];
}
