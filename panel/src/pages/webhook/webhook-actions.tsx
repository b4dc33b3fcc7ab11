import { Button } from '@mantine/core';
import {
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
import { ActionMenu } from '../../parts/actions.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { WebhookDialog } from '../webhooks/webhook-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** What can be done to a webhook; nothing for those who only look. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhook');
  const can = useCan();
  const { slug } = useApi();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'test'>();
  const [rotated, setRotated] = useState<RotatedSecret>();
  const resume = useChange('panel_update_webhook', { onDone: () => toast(t.resumed) });
  const pause = useChange('panel_update_webhook', { onDone: () => toast(t.paused) });
  const rotate = useChange('panel_rotate_webhook_secret', { onDone: setRotated });
  const remove = useChange('panel_delete_webhook', {
    onDone: () => {
      toast(t.removed);
      void navigate(linkTo(slug, { page: 'webhooks' }));
    },
  });
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
      <ActionMenu
        actions={[
          { label: t.edit, icon: IconPencil, run: () => setDialog('edit') },
          {
            label: t.rotate,
            icon: IconKey,
            about: t.rotate_about,
            run: async () => await rotate.mutateAsync({ params }),
          },
          webhook.is_active && {
            label: t.pause,
            icon: IconPlayerPause,
            about: t.pause_about,
            run: async () => await pause.mutateAsync({ params, body: { is_active: false } }),
          },
          {
            label: t.remove,
            icon: IconTrash,
            about: t.remove_about,
            name: webhook.name,
            isDangerous: true,
            run: async () => await remove.mutateAsync({ params }),
          },
        ]}
      />
      <WebhookDialog opened={dialog === 'edit'} onClose={close} webhook={webhook} />
      <TestDialog opened={dialog === 'test'} onClose={close} webhook={webhook} />
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
