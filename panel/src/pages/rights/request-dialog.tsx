import { Select, Text, Textarea, TextInput } from '@mantine/core';
import type { RightsRequest } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { momentOf, wallTime } from '../../parts/zoned-time.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';

const blank = {
  kind: 'access' as RightsRequest['kind'],
  contacts: '',
  phones: '',
  detail: '',
  received_at: '',
};

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** For a request that came by letter, by phone or at the counter. */
export function RequestDialog({
  opened,
  onClose,
  onCreated,
}: {
  opened: boolean;
  onClose: () => void;
  onCreated: (id: number) => void;
}) {
  const t = useMessages('rights');
  const { timezone } = useInstance();
  const create = useChange('panel_create_rights_request', {
    onDone: ({ id }) => {
      toast(t.created);
      onCreated(id);
    },
  });
  const kinds = Object.entries(t.kinds).map(([value, label]) => ({ value, label }));
  return (
    <FormDialog
      title={t.add}
      opened={opened}
      onClose={onClose}
      initial={blank}
      submit={t.create}
      onSubmit={async ({ kind, contacts, phones, detail, received_at }) => {
        const body = {
          kind,
          contacts: [
            ...linesOf(contacts).map((contact) => ({ contact, contact_type: 'email_address' as const })),
            ...linesOf(phones).map((contact) => ({ contact, contact_type: 'phone_number' as const })),
          ],
          detail: detail.trim() || null,
          received_at: received_at === '' ? null : momentOf(received_at, timezone),
        };
        await create.mutateAsync({ body });
      }}
    >
      {(form) => (
        <>
          <Text size="sm" c="dimmed">
            {t.add_about}
          </Text>
          <Select
            label={t.kind}
            description={t.kind_help[form.values.kind]}
            data={kinds}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('kind')}
          />
          <Textarea
            label={t.emails}
            description={t.emails_help}
            autosize
            minRows={2}
            {...form.getInputProps('contacts')}
          />
          <Textarea
            label={t.phones}
            description={t.phones_help}
            autosize
            minRows={1}
            {...form.getInputProps('phones')}
          />
          <TextInput
            type="datetime-local"
            label={t.asked_at}
            description={t.asked_at_help}
            max={wallTime(new Date(), timezone)}
            {...form.getInputProps('received_at')}
          />
          <Textarea
            label={t.detail}
            autosize
            minRows={2}
            maxLength={4000}
            {...form.getInputProps('detail')}
          />
        </>
      )}
    </FormDialog>
  );
}
