import { Text, TextInput } from '@mantine/core';
import { IconBan, IconWorldOff } from '@tabler/icons-react';
import type { DomainRevocation } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { AddButton } from '../../parts/add-button.tsx';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { useUrlState } from '../../parts/app/url-state.ts';

/** Names that no instance may send from. */
export function Revocations() {
  const t = useMessages('operator');
  const [{ page }] = useUrlState();
  const revoke = useAccountChange('operator_revoke_domain', () => toast(t.revoked));
  const reinstate = useAccountChange('operator_reinstate_domain', () => toast(t.reinstated));
  const columns: Column<DomainRevocation>[] = [
    { name: 'domain', header: t.domain, cell: ({ domain }) => domain },
    {
      name: 'used',
      header: t.used_by,
      min: 10,
      grow: 3,
      cell: ({ instances }) => instances.join(', ') || '—',
      rank: 1,
    },
    {
      name: 'at',
      header: t.revoked_at,
      min: 11,
      cell: ({ revoked_at }) => <Time at={revoked_at} />,
      rank: 2,
    },
    {
      name: 'lift',
      header: t.actions,
      min: 7,
      align: 'end',
      cell: ({ domain }) => (
        <RowAction
          label={t.reinstate}
          named={t.reinstate_of(domain)}
          about={t.reinstate_about(domain)}
          isDangerous
          run={async () => await reinstate.mutateAsync({ params: { domain } })}
        />
      ),
    },
  ];
  return (
    <>
      <AddButton
        mb="md"
        variant="default"
        icon={IconBan}
        label={t.revoke}
        dialog={(state) => (
          <FormDialog
            {...state}
            title={t.revoke}
            initial={{ domain: '' }}
            submit={t.revoke}
            onSubmit={async (body) => await revoke.mutateAsync({ body })}
          >
            {(form) => (
              <>
                <Text size="sm">{t.revoke_about}</Text>
                <TextInput label={t.domain} data-autofocus {...form.getInputProps('domain')} />
              </>
            )}
          </FormDialog>
        )}
      />
      <ListBody
        label={t.domains}
        query={readOf('operator_list_domain_revocations', { query: { page: Number(page ?? 1) } })}
        columns={columns}
        idOf={({ domain }) => domain}
        empty={{ icon: IconWorldOff, title: t.no_revocations, about: t.no_revocations_about }}
      />
    </>
  );
}
