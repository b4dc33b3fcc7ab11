import { Textarea, TextInput } from '@mantine/core';
import type { CreatedWebhook, Webhook } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { EventPicker } from './event-picker.tsx';

const blank = { name: '', url: '', events: null as Webhook['events'], headers: '' };
/** What the dialog edits. */
const membersOf = ({ name, url, events }: Omit<typeof blank, 'headers'>): typeof blank => ({
  name,
  url,
  events,
  headers: '',
});

/** One header a line: `Name: value`. */
function headersOf(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

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
        const { headers, ...rest } = changed;
        if (webhook) {
          const body = headers === undefined ? rest : { ...rest, headers: headersOf(headers) };
          await update.mutateAsync({ params: { id: webhook.id }, body });
        } else {
          await create.mutateAsync({ body: { ...values, headers: headersOf(values.headers) } });
        }
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
          <Textarea
            label={t.headers}
            description={
              webhook && webhook.header_names.length > 0
                ? t.headers_kept(webhook.header_names.join(', '))
                : t.headers_help
            }
            placeholder="X-Gateway-Key: …"
            autosize
            minRows={1}
            maxRows={10}
            {...form.getInputProps('headers')}
          />
        </>
      )}
    </FormDialog>
  );
}
