import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconExternalLink, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Form } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { addressOf } from './embed.tsx';

/** What is done to a form at once, apart from its draft. */
export function FormActions({ form }: { form: Form }) {
  const t = useMessages('form');
  const can = useCan();
  const [dialog, setDialog] = useState<'close' | 'remove'>();
  const params = { id: form.id };
  const open = useChange('panel_update_form', { onDone: () => toast(t.opened) });
  const shut = useChange('panel_update_form', { onDone: () => toast(t.closed) });
  const close = (): void => setDialog(undefined);
  return (
    <>
      {form.is_active && (
        <Button
          component="a"
          href={addressOf(form)}
          target="_blank"
          rel="noopener"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {t.open_page}
        </Button>
      )}
      {can('panel_update_form') && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t.more}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {form.is_active ? (
              <Menu.Item leftSection={<IconLock size={16} />} onClick={() => setDialog('close')}>
                {t.close_form}
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconLockOpen size={16} />}
                onClick={() => open.mutate({ params, body: { is_active: true } })}
              >
                {t.open_form}
              </Menu.Item>
            )}
            {can('panel_delete_form') && (
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} />}
                onClick={() => setDialog('remove')}
              >
                {t.remove}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <DangerDialog
        title={t.close_form}
        opened={dialog === 'close'}
        onClose={close}
        action={t.close_form}
        isDangerous={false}
        onConfirm={async () => await shut.mutateAsync({ params, body: { is_active: false } })}
      >
        {t.close_about}
      </DangerDialog>
      {dialog === 'remove' && <RemoveDialog form={form} onClose={close} />}
    </>
  );
}

function RemoveDialog({ form: { id, name }, onClose }: { form: Form; onClose: () => void }) {
  const t = useMessages('form');
  const api = useApi();
  const navigate = useNavigate();
  const { number } = useFormat();
  const remove = useChange('panel_delete_form', { onDone: () => toast(t.removed) });
  const query = { page_size: 1 };
  const { data } = useQuery(api.read('panel_list_form_submissions', { params: { id }, query }));
  const count = data?.pagination.total_items;
  return (
    <DangerDialog
      title={t.remove}
      opened
      onClose={onClose}
      action={t.remove}
      name={name}
      onConfirm={async () => {
        await navigate({ ...linkTo(api.slug, { page: 'forms' }), ignoreBlocker: true });
        await remove.mutateAsync({ params: { id } });
      }}
    >
      {t.remove_about(count === null ? '10.000+' : number(count ?? 0))}
    </DangerDialog>
  );
}
