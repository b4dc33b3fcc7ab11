import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTargetArrow } from '@tabler/icons-react';
import type { ConsentPurpose } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { PurposeDialog } from './purpose-dialog.tsx';

/** What people are written to for. */
export function Purposes() {
  const t = useMessages('consent');
  const api = useApi();
  const can = useCan();
  const [state, change] = useUrlState();
  const { purposes } = useCatalogue();
  const chosen = purposes.find(({ id }) => String(id) === state['open']);
  return (
    <>
      <ListBody
        label={t.purposes}
        query={api.read('panel_list_consent_purposes', { query: { page: Number(state['page'] ?? 1) } })}
        columns={useColumns()}
        idOf={({ id }) => id}
        to={
          can('panel_update_consent_purpose')
            ? ({ id }) => ({ page: 'consent', search: { ...state, open: String(id) } })
            : undefined
        }
        empty={
          <EmptyState icon={IconTargetArrow} title={t.no_purposes}>
            {t.no_purposes_about}
          </EmptyState>
        }
      />
      {chosen && can('panel_update_consent_purpose') && (
        <PurposeDialog opened purpose={chosen} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

/** The button and what it opens. */
export function AddPurpose() {
  const t = useMessages('consent');
  const can = useCan();
  const [adding, { open, close }] = useDisclosure();
  if (!can('panel_create_consent_purpose')) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        {t.add_purpose}
      </Button>
      <PurposeDialog opened={adding} onClose={close} />
    </>
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
      min: 6,
      align: 'end',
      cell: ({ id }) => number(termsFor(id)),
      rank: 1,
    },
  ];
}
