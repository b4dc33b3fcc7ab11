import { IconTargetArrow } from '@tabler/icons-react';
import type { ConsentPurpose } from '../../api/operations.ts';
import { AddButton } from '../../parts/add-button.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { PurposeDialog } from './purpose-dialog.tsx';

/** What people are written to for. */
export function Purposes() {
  const t = useMessages('consent');
  const api = useApi();
  const [{ page }] = useUrlState();
  return (
    <ListBody
      label={t.purposes}
      query={api.read('panel_list_consent_purposes', { query: { page: Number(page ?? 1) } })}
      columns={useColumns()}
      idOf={({ id }) => id}
      opens={{
        page: 'consent',
        needs: 'panel_update_consent_purpose',
        read: (id) => api.read('panel_get_consent_purpose', { params: { id: Number(id) } }),
        dialog: (purpose, onClose) => <PurposeDialog opened purpose={purpose} onClose={onClose} />,
      }}
      empty={{ icon: IconTargetArrow, title: t.no_purposes, about: t.no_purposes_about }}
    />
  );
}

/** The button and what it opens. */
export function AddPurpose() {
  const t = useMessages('consent');
  return (
    <AddButton
      label={t.add_purpose}
      needs="panel_create_consent_purpose"
      dialog={(state) => <PurposeDialog {...state} />}
    />
  );
}

function useColumns(): Column<ConsentPurpose>[] {
  const t = useMessages('consent');
  const { number } = useFormat();
  const { terms } = useCatalogue();
  const termsFor = (id: number): number => terms.filter(({ purpose_ids }) => purpose_ids.includes(id)).length;
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    {
      name: 'state',
      header: t.state,
      min: 9.5,
      cell: ({ is_enabled }) =>
        is_enabled ? (
          <StatusBadge tone="good">{t.enabled}</StatusBadge>
        ) : (
          <StatusBadge tone="quiet">{t.disabled}</StatusBadge>
        ),
    },
    { name: 'code', header: t.code, min: 10, cell: ({ code }) => <code>{code}</code>, rank: 1 },
    {
      name: 'description',
      header: t.description,
      min: 10,
      grow: 3,
      cell: ({ description }) => <span title={description ?? undefined}>{description ?? '—'}</span>,
      rank: 2,
    },
    {
      name: 'terms',
      header: t.used_by,
      isNumber: true,
      min: 6,
      align: 'end',
      cell: ({ id }) => number(termsFor(id)),
      rank: 1,
    },
  ];
}
