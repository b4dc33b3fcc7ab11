import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Sender } from '../../api/operations.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';

const blank = {
  email_address: '',
  name: '',
  stream: 'transactional' as Sender['stream'],
  requires_consent: false,
  consent_purpose_id: null as number | null,
  track_opens: true,
  track_clicks: true,
};

/** What the dialog edits. */
function membersOf(given: typeof blank): typeof blank {
  const { email_address, name, stream, requires_consent, consent_purpose_id, track_opens, track_clicks } =
    given;
  return { email_address, name, stream, requires_consent, consent_purpose_id, track_opens, track_clicks };
}

/** Adds a sender, or changes the one given. */
export function SenderDialog({
  opened,
  onClose,
  sender,
}: {
  opened: boolean;
  onClose: () => void;
  sender?: Sender;
}) {
  const t = useMessages('senders');
  const api = useApi();
  const purposes = useQuery({ ...api.read('panel_list_consent_purposes', {}), enabled: opened });
  const create = useChange('panel_create_sender', { onDone: () => toast(t.added) });
  const update = useChange('panel_update_sender', { onDone: () => toast(t.saved) });
  return (
    <FormDialog
      title={sender ? t.edit : t.add}
      opened={opened}
      onClose={onClose}
      initial={membersOf(sender ?? blank)}
      onSubmit={async (values, changed) => {
        // Without consent there is no purpose of it.
        const purpose = values.requires_consent ? {} : { consent_purpose_id: null };
        if (!sender) return await create.mutateAsync({ body: { ...values, ...purpose } });
        const { email_address: _fixed, ...members } = changed;
        const isOfConsent = 'requires_consent' in changed || 'consent_purpose_id' in changed;
        const body = isOfConsent ? { ...members, ...purpose } : members;
        return await update.mutateAsync({ params: { id: sender.id }, body });
      }}
    >
      {(form) => (
        <>
          <TextInput
            label={t.address}
            description={sender ? undefined : t.address_help}
            type="email"
            readOnly={sender !== undefined}
            data-autofocus={sender === undefined || undefined}
            {...form.getInputProps('email_address')}
          />
          <TextInput label={t.name} description={t.name_help} {...form.getInputProps('name')} />
          <Select
            label={t.stream}
            description={t.stream_help[form.values.stream]}
            data={(['transactional', 'broadcast'] as const).map((value) => ({
              value,
              label: t.streams[value],
            }))}
            {...form.getInputProps('stream')}
          />
          <Checkbox
            label={t.requires_consent}
            {...form.getInputProps('requires_consent', { type: 'checkbox' })}
          />
          {form.values.requires_consent && (
            <Select
              label={t.purpose}
              data={(purposes.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={form.values.consent_purpose_id === null ? null : String(form.values.consent_purpose_id)}
              onChange={(chosen) =>
                form.setFieldValue('consent_purpose_id', chosen === null ? null : Number(chosen))
              }
              error={form.errors['consent_purpose_id']}
            />
          )}
          <Stack gap="xs">
            <Checkbox label={t.track_opens} {...form.getInputProps('track_opens', { type: 'checkbox' })} />
            <Checkbox label={t.track_clicks} {...form.getInputProps('track_clicks', { type: 'checkbox' })} />
          </Stack>
          {sender && <DeleteSender sender={sender} onDeleted={onClose} />}
        </>
      )}
    </FormDialog>
  );
}

function DeleteSender({
  sender: { id, email_address },
  onDeleted,
}: {
  sender: Sender;
  onDeleted: () => void;
}) {
  const t = useMessages('senders');
  const remove = useChange('panel_delete_sender', { onDone: () => toast(t.removed) });
  return (
    <RemoveButton
      label={t.remove}
      icon={IconTrash}
      about={t.remove_about(email_address)}
      name={email_address}
      run={async () => {
        await remove.mutateAsync({ params: { id } });
        onDeleted();
      }}
    />
  );
}
