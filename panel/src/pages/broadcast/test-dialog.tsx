import { Text, TextInput } from '@mantine/core';
import { useMessages } from '../../messages/use-messages.ts';
import { useMe } from '../../parts/app/me.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';

/** Sends the message to colleagues, as one contact would get it. */
export function TestDialog({ id, opened, onClose }: { id: number; opened: boolean; onClose: () => void }) {
  const t = useMessages('broadcast');
  const me = useMe();
  const send = useChange('panel_test_broadcast', {
    onDone: ({ message_ids }) => toast(t.test_sent(message_ids.length)),
  });
  return (
    <FormDialog
      title={t.test_title}
      opened={opened}
      onClose={onClose}
      submit={t.test}
      initial={{ to: me?.user.email ?? '', contact: '' }}
      onSubmit={async ({ to, contact }) => {
        const addresses = to.split(/[\s,;]+/).filter((each) => each !== '');
        await send.mutateAsync({ params: { id }, body: { to: addresses, contact: contact.trim() || null } });
      }}
    >
      {(form) => (
        <>
          <Text size="sm" c="dimmed">
            {t.test_about}
          </Text>
          <TextInput label={t.test_to} description={t.test_to_help} {...form.getInputProps('to')} />
          <TextInput
            label={t.test_contact}
            description={t.test_contact_help}
            type="email"
            {...form.getInputProps('contact')}
          />
        </>
      )}
    </FormDialog>
  );
}
