import { IconAddressBook, IconUpload } from '@tabler/icons-react';
import { Group } from '@mantine/core';
import { respond } from '../../api/call.ts';
import type { ContactListItem } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { ImportDialog } from './import-dialog.tsx';

/** Every address that agreed to something or told something. */
export function Page() {
  const t = useMessages('contacts');
  const api = useApi();
  const { slug, timezone: tz } = useInstance();
  const [{ contact, page }] = useUrlState();
  return (
    <ListPage
      title={t.title}
      about={t.about}
      actions={
        <ExportMenu
          run={async (format, signal) =>
            await respond('panel_export_contacts', { query: { contact, tz, format } }, { slug, signal })
          }
        />
      }
      add={{
        label: t.import,
        icon: IconUpload,
        needs: 'panel_import_contacts',
        dialog: (state) => <ImportDialog {...state} />,
      }}
      filters={[{ kind: 'text', name: 'contact', label: t.search }]}
      query={api.read('panel_list_contacts', { query: { contact, page: Number(page ?? 1) } })}
      columns={useColumns()}
      idOf={(each) => each.contact}
      to={({ contact: address }) => ({ page: 'contact', search: { contact: address } })}
      empty={{
        icon: IconAddressBook,
        title: t.empty,
        about: t.empty_about,
        action: <PageLink page="forms">{t.to_forms}</PageLink>,
      }}
    />
  );
}

function useColumns(): Column<ContactListItem>[] {
  const t = useMessages('contacts');
  return [
    { name: 'contact', header: t.contact, cell: ({ contact }) => contact },
    { name: 'name', header: t.name, min: 10, grow: 2, cell: nameOf, rank: 1 },
    {
      name: 'consents',
      header: t.consents,
      min: 12,
      grow: 3,
      cell: ({ consents }) => (
        <Group gap={6}>
          {consents.map(({ purpose_id, purpose_name, verdict }) => (
            <StatusBadge key={purpose_id} tone={verdict === 'allow' ? 'good' : 'quiet'}>
              {verdict === 'allow' ? purpose_name : t.denied(purpose_name)}
            </StatusBadge>
          ))}
        </Group>
      ),
      rank: 1,
    },
  ];
}

/** By the fields that every instance has. */
function nameOf({ answers }: ContactListItem): string {
  const names = ['FIRST_NAME', 'LAST_NAME'].map((key) => answers[key]);
  return names.filter((each) => typeof each === 'string').join(' ') || '—';
}
