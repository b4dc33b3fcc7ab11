import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTargetArrow } from '@tabler/icons-react';
import type { ConsentPurpose } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useFormat } from '../../shell/format.ts';
import { useCan } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { PurposeDialog } from './purpose-dialog.tsx';
import { words } from './words.ts';

/** What people are written to for. */
export function Purposes() {
  const t = useWords(words);
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
  const t = useWords(words);
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
  const t = useWords(words);
  const { number } = useFormat();
  const { terms } = useCatalogue();
  const termsFor = (id: number): number => terms.filter(({ purpose_ids }) => purpose_ids.includes(id)).length;
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    {
      name: 'state',
      header: t.state,
      width: '9.5rem',
      cell: ({ is_enabled }) =>
        is_enabled ? (
          <StatusBadge tone="good">{t.enabled}</StatusBadge>
        ) : (
          <StatusBadge tone="quiet">{t.disabled}</StatusBadge>
        ),
    },
    { name: 'code', header: t.code, width: '10rem', cell: ({ code }) => <code>{code}</code>, from: 'sm' },
    {
      name: 'description',
      header: t.description,
      width: '34%',
      cell: ({ description }) => <span title={description ?? undefined}>{description ?? '—'}</span>,
      from: 'md',
    },
    {
      name: 'terms',
      header: t.used_by,
      width: '6rem',
      align: 'end',
      cell: ({ id }) => number(termsFor(id)),
      from: 'sm',
    },
  ];
}
