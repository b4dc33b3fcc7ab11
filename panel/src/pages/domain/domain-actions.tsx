import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBan, IconKey, IconMailForward, IconRotate, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Domain } from '../../api/operations.ts';
import { ActionMenu } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';

export function DomainActions({
  domain: { id, domain, is_sandbox, is_revoked_by_operator, dkim_status },
  senders,
}: {
  domain: Domain;
  senders: number;
}) {
  const t = useMessages('domain');
  const can = useCan();
  const api = useApi();
  const navigate = useNavigate();
  const [isMailing, { open, close }] = useDisclosure();
  const email = useChange('panel_email_domain_records', { onDone: () => toast(t.emailed) });
  const rotate = useChange('panel_rotate_dkim_domain', { onDone: () => toast(t.rotated) });
  const revoke = useChange('panel_revoke_domain', { onDone: () => toast(t.revoked) });
  const reinstate = useChange('panel_reinstate_domain', { onDone: () => toast(t.reinstated) });
  const remove = useChange('panel_delete_domain', { onDone: () => toast(t.removed) });
  const params = { id };
  const isRevoked = dkim_status === 'revoked';
  if (is_sandbox || !can('panel_email_domain_records')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconMailForward size={16} />} onClick={open}>
        {t.email}
      </Button>
      {can('panel_delete_domain') && (
        <ActionMenu
          actions={[
            {
              label: t.rotate,
              icon: IconKey,
              about: t.rotate_about,
              run: async () => await rotate.mutateAsync({ params }),
            },
            isRevoked &&
              !is_revoked_by_operator && {
                label: t.reinstate,
                icon: IconRotate,
                run: () => reinstate.mutate({ params }),
              },
            !isRevoked && {
              label: t.revoke,
              icon: IconBan,
              about: t.revoke_about(domain),
              isDangerous: true,
              run: async () => await revoke.mutateAsync({ params }),
            },
            {
              label: t.remove,
              icon: IconTrash,
              about: t.remove_about(domain, senders),
              name: domain,
              isDangerous: true,
              run: async () => {
                await remove.mutateAsync({ params });
                await navigate(linkTo(api.slug, { page: 'domains' }));
              },
            },
          ]}
        />
      )}
      <FormDialog
        title={t.email}
        opened={isMailing}
        onClose={close}
        initial={{ email: '' }}
        submit={t.email}
        onSubmit={async (body) => await email.mutateAsync({ params, body })}
      >
        {(form) => (
          <TextInput
            label={t.address}
            description={t.email_about}
            type="email"
            data-autofocus
            {...form.getInputProps('email')}
          />
        )}
      </FormDialog>
    </>
  );
}
