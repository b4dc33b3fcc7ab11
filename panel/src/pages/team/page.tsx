import { TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import type { Role } from '../../api/roles.ts';
import { useAdding } from '../../parts/add-button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { RoleSelect } from './role-select.tsx';

const blank: { email: string; role: Role } = { email: '', role: 'developer' };

export function Page() {
  const t = useMessages('team');
  const can = useCan();
  const [, change] = useUrlState();
  const create = useChange('panel_create_invitation', {
    onDone: ({ email }) => {
      toast(t.sent(email));
      change({ list: 'invitations' });
    },
  });
  const invite = useAdding(
    {
      label: t.invite,
      icon: IconUserPlus,
      needs: 'panel_create_invitation',
      dialog: (state) => (
        <FormDialog
          {...state}
          title={t.invite_title}
          initial={blank}
          submit={t.send_invitation}
          onSubmit={async (body) => await create.mutateAsync({ body })}
        >
          {(form) => (
            <>
              <TextInput
                label={t.email}
                description={t.email_help}
                type="email"
                data-autofocus
                {...form.getInputProps('email')}
              />
              <RoleSelect
                value={form.values.role}
                onChange={(role) => form.setFieldValue('role', role)}
                error={form.errors['role']}
              />
            </>
          )}
        </FormDialog>
      ),
    },
    {},
    { isOfPage: true },
  );
  return (
    <main>
      <PageHeader title={t.title} actions={invite?.button}>
        {t.about}
      </PageHeader>
      {can('panel_list_invitations') ? (
        <UrlTabs
          name="list"
          label={t.title}
          tabs={[
            { name: 'members', label: t.members, content: () => <Members /> },
            {
              name: 'invitations',
              label: t.invitations,
              content: () => <Invitations invite={invite?.button} />,
            },
          ]}
        />
      ) : (
        <Members />
      )}
      {invite?.dialog}
    </main>
  );
}
