import { Button, Menu, TextInput } from '@mantine/core';
import {
  IconBan,
  IconChevronDown,
  IconKey,
  IconMailForward,
  IconRotate,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Domain } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';

type Ask = 'rotate' | 'revoke' | 'remove';

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
  const { number } = useFormat();
  const [asked, setAsked] = useState<Ask | 'email'>();
  const close = (): void => setAsked(undefined);
  const email = useChange('panel_email_domain_records', { onDone: () => toast(t.emailed) });
  const rotate = useChange('panel_rotate_dkim_domain', { onDone: () => toast(t.rotated) });
  const revoke = useChange('panel_revoke_domain', { onDone: () => toast(t.revoked) });
  const reinstate = useChange('panel_reinstate_domain', { onDone: () => toast(t.reinstated) });
  const remove = useChange('panel_delete_domain', { onDone: () => toast(t.removed) });
  const asks: Record<Ask, { about: string; run: () => Promise<unknown> }> = {
    rotate: { about: t.rotate_about, run: async () => await rotate.mutateAsync({ params: { id } }) },
    revoke: { about: t.revoke_about(domain), run: async () => await revoke.mutateAsync({ params: { id } }) },
    remove: {
      about: t.remove_about(domain, number(senders)),
      run: async () => {
        await remove.mutateAsync({ params: { id } });
        await navigate(linkTo(api.slug, { page: 'domains' }));
      },
    },
  };
  const question = asked === 'email' ? undefined : asked;
  const isRevoked = dkim_status === 'revoked';
  if (is_sandbox || !can('panel_email_domain_records')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconMailForward size={16} />} onClick={() => setAsked('email')}>
        {t.email}
      </Button>
      {can('panel_delete_domain') && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} />}>
              {t.more}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setAsked('rotate')}>
              {t.rotate}
            </Menu.Item>
            {isRevoked && !is_revoked_by_operator && (
              <Menu.Item
                leftSection={<IconRotate size={16} />}
                onClick={() => reinstate.mutate({ params: { id } })}
              >
                {t.reinstate}
              </Menu.Item>
            )}
            {!isRevoked && (
              <Menu.Item leftSection={<IconBan size={16} />} onClick={() => setAsked('revoke')}>
                {t.revoke}
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setAsked('remove')}>
              {t.remove}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <FormDialog
        title={t.email}
        opened={asked === 'email'}
        onClose={close}
        initial={{ email: '' }}
        submit={t.email}
        onSubmit={async (body) => await email.mutateAsync({ params: { id }, body })}
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
      <DangerDialog
        title={question ? t[question] : ''}
        opened={question !== undefined}
        onClose={close}
        action={question ? t[question] : ''}
        isDangerous={question !== 'rotate'}
        {...(question === 'remove' ? { name: domain } : {})}
        onConfirm={async () => (question ? await asks[question].run() : undefined)}
      >
        {question && asks[question].about}
      </DangerDialog>
    </>
  );
}
