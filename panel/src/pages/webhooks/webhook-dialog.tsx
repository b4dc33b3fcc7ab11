import { TextInput } from '@mantine/core';
import type { CreatedWebhook, Webhook } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { EventPicker } from './event-picker.tsx';

const blank = { name: '', url: '', events: null as Webhook['events'] };
/** What the dialog edits. */
const membersOf = ({ name, url, events }: typeof blank): typeof blank => ({ name, url, events });

/** Adds a webhook, or changes the one given. */
export function WebhookDialog({
  opened,
  onClose,
  webhook,
  onCreated,
}: {
  opened: boolean;
  onClose: () => void;
  webhook?: Webhook;
  onCreated?: (created: CreatedWebhook) => void;
}) {
  const t = useMessages('webhooks');
  const create = useChange('panel_create_webhook', { onDone: onCreated });
  const update = useChange('panel_update_webhook', { onDone: () => toast(t.saved) });
  return (
    <FormDialog
      title={webhook ? t.edit : t.add}
      opened={opened}
      onClose={onClose}
      initial={membersOf(webhook ?? blank)}
      submit={webhook ? undefined : t.create}
      onSubmit={async (values, changed) => {
        if (webhook) await update.mutateAsync({ params: { id: webhook.id }, body: changed });
        else await create.mutateAsync({ body: values });
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t.name}
            description={t.name_help}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t.url}
            description={t.url_help}
            type="url"
            placeholder="https://example.com/hooks/mail"
            {...form.getInputProps('url')}
          />
          <EventPicker
            value={form.values.events}
            onChange={(events) => form.setFieldValue('events', events)}
            error={form.errors['events']}
          />
        </>
      )}
    </FormDialog>
  );
}
