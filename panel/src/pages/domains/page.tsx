import { IconWorld } from '@tabler/icons-react';
import type { Domain } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { AddDomainDialog } from './add-domain-dialog.tsx';
import { DomainState, requiredChecks, stateOf } from './domain-state.tsx';

export function Page() {
  const t = useMessages('domains');
  const api = useApi();
  const [{ domain, is_verified, page }] = useUrlState();
  const query = {
    domain,
    is_verified: is_verified === undefined ? undefined : is_verified === 'true',
    page: Number(page ?? 1),
  };
  const columns: Column<Domain>[] = [
    { name: 'domain', header: t.domain, cell: (each) => each.domain },
    { name: 'state', header: t.state, min: 11, cell: (each) => <DomainState domain={each} /> },
    {
      name: 'records',
      header: t.records,
      min: 8,
      rank: 1,
      cell: (each) =>
        `${requiredChecks.filter((name) => stateOf(each, name) === 'verified').length} / ${requiredChecks.length}`,
    },
    {
      name: 'checked',
      header: t.checked,
      min: 11,
      rank: 2,
      cell: ({ last_verification_at }) =>
        last_verification_at ? <Time at={last_verification_at} /> : t.never,
    },
  ];
  return (
    <ListPage
      title={t.title}
      about={t.about}
      add={{ label: t.add, needs: 'panel_create_domain', dialog: (state) => <AddDomainDialog {...state} /> }}
      filters={[
        { kind: 'text', name: 'domain', label: t.domain },
        {
          kind: 'select',
          name: 'is_verified',
          label: t.verified_filter,
          options: [
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ],
        },
      ]}
      query={api.read('panel_list_domains', { query })}
      columns={columns}
      idOf={({ id }) => id}
      to={({ id }) => ({ page: 'domain', id })}
      empty={{ icon: IconWorld, title: t.empty, about: t.empty_about }}
    />
  );
}
