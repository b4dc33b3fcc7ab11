import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RotatedSecret, Webhook } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { WebhookDialog } from '../webhooks/webhook-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

type Dialog = 'edit' | 'pause' | 'rotate' | 'remove' | 'test';

/** What can be done to a webhook; nothing for those who only look. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhook');
  const can = useCan();
  const [dialog, setDialog] = useState<Dialog>();
  const [rotated, setRotated] = useState<RotatedSecret>();
  const resume = useChange('panel_update_webhook', { onDone: () => toast(t.resumed) });
  const params = { id: webhook.id };
  const close = (): void => setDialog(undefined);
  if (!can('panel_update_webhook')) return null;
  return (
    <>
      {!webhook.is_active && (
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={resume.isPending}
          onClick={() => resume.mutate({ params, body: { is_active: true } })}
        >
          {t.resume}
        </Button>
      )}
      <Button variant="default" leftSection={<IconSend size={16} />} onClick={() => setDialog('test')}>
        {t.test}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.more}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
            {t.edit}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setDialog('rotate')}>
            {t.rotate}
          </Menu.Item>
          {webhook.is_active && (
            <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => setDialog('pause')}>
              {t.pause}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('remove')}>
            {t.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <WebhookDialog opened={dialog === 'edit'} onClose={close} webhook={webhook} />
      <TestDialog opened={dialog === 'test'} onClose={close} webhook={webhook} />
      <ConfirmDialogs webhook={webhook} dialog={dialog} onClose={close} onRotated={setRotated} />
      <SecretDialog
        title={t.new_secret}
        secrets={rotated && [{ label: t.new_secret, value: rotated.secret }]}
        onStored={() => setRotated(undefined)}
      >
        {t.both_sign} <Time at={rotated?.previous_secret_expires_at} />.
      </SecretDialog>
    </>
  );
}

function ConfirmDialogs({
  webhook: { id, name },
  dialog,
  onClose,
  onRotated,
}: {
  webhook: Webhook;
  dialog: Dialog | undefined;
  onClose: () => void;
  onRotated: (rotated: RotatedSecret) => void;
}) {
  const t = useMessages('webhook');
  const { slug } = useApi();
  const navigate = useNavigate();
  const params = { id };
  const pause = useChange('panel_update_webhook', { onDone: () => toast(t.paused) });
  const rotate = useChange('panel_rotate_webhook_secret', { onDone: onRotated });
  const remove = useChange('panel_delete_webhook', {
    onDone: () => {
      toast(t.removed);
      void navigate(linkTo(slug, { page: 'webhooks' }));
    },
  });
  return (
    <>
      <DangerDialog
        title={t.pause}
        opened={dialog === 'pause'}
        onClose={onClose}
        action={t.pause}
        onConfirm={async () => await pause.mutateAsync({ params, body: { is_active: false } })}
      >
        {t.pause_about}
      </DangerDialog>
      <DangerDialog
        title={t.rotate}
        opened={dialog === 'rotate'}
        onClose={onClose}
        action={t.rotate}
        onConfirm={async () => await rotate.mutateAsync({ params })}
      >
        {t.rotate_about}
      </DangerDialog>
      <DangerDialog
        title={t.remove}
        opened={dialog === 'remove'}
        onClose={onClose}
        action={t.remove}
        name={name}
        onConfirm={async () => await remove.mutateAsync({ params })}
      >
        {t.remove_about}
      </DangerDialog>
    </>
  );
}
