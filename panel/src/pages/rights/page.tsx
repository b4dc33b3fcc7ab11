import { Box, Text } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RightsRequest } from '../../api/operations.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { RequestDialog } from './request-dialog.tsx';
import { RequestState } from './request-state.tsx';

/** What persons ask for, what is due first. */
export function Page() {
  const t = useMessages('rights');
  const api = useApi();
  const navigate = useNavigate();
  const [{ page, kind, status, contact }] = useUrlState();
  const optionsOf = (names: Record<string, string>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }));
  return (
    <ListPage
      title={t.title}
      about={t.about}
      above={<PageAddress />}
      add={{
        label: t.add,
        needs: 'panel_create_rights_request',
        dialog: (state) => (
          <RequestDialog
            {...state}
            onCreated={(id) => void navigate(linkTo(api.slug, { page: 'rights_request', id }))}
          />
        ),
      }}
      filters={[
        { name: 'contact', kind: 'text', label: t.contact, placeholder: t.contact_filter },
        { name: 'kind', kind: 'select', label: t.kind, options: optionsOf(t.kinds), unset: t.any },
        { name: 'status', kind: 'select', label: t.status, options: optionsOf(t.statuses), unset: t.any },
      ]}
      query={api.read('panel_list_rights_requests', {
        query: {
          page: Number(page ?? 1),
          kind: (kind ?? null) as RightsRequest['kind'] | null,
          status: (status ?? null) as RightsRequest['status'] | null,
          contact: contact ?? null,
        },
      })}
      columns={useColumns()}
      idOf={({ id }) => id}
      choice="rights"
      to={({ id }) => ({ page: 'rights_request', id })}
      empty={{ icon: IconScale, title: t.empty, about: t.empty_about }}
    />
  );
}

function PageAddress() {
  const t = useMessages('rights');
  const api = useApi();
  const { data } = useQuery(api.read('panel_get_rights_page', {}));
  if (!data) return null;
  return (
    <Box mb="md">
      <Section title={t.page_title}>
        <Text size="sm" mb="xs">
          {t.page_about}
        </Text>
        <CopyField value={data.url} label={t.copy_page} />
      </Section>
    </Box>
  );
}

function useColumns(): Column<RightsRequest>[] {
  const t = useMessages('rights');
  return [
    { name: 'kind', header: t.kind, min: 7.5, rank: 1, cell: ({ kind }) => t.kinds[kind] },
    {
      name: 'contact',
      header: t.contact,
      cell: ({ contacts }) => contacts.map(({ contact }) => contact).join(', ') || t.erased,
    },
    { name: 'status', header: t.status, min: 8, rank: 1, cell: (each) => <RequestState request={each} /> },
    {
      name: 'due',
      header: t.due,
      min: 10,
      align: 'end',
      cell: ({ status, due_at }) => (status === 'open' ? <Time at={due_at} as="relative" /> : '—'),
      rank: 2,
    },
    {
      name: 'received',
      header: t.received,
      min: 11,
      align: 'end',
      cell: ({ received_at }) => <Time at={received_at} as="relative" />,
      rank: 3,
    },
  ];
}
