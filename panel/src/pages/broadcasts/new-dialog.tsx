import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { PurposeChoice, SenderChoice, TemplateChoice } from './choices.tsx';

const blank = { name: '', sender_id: '', template_id: '', purpose_id: '' };

/** What a broadcast cannot be without; the rest is written on its page. */
export function NewDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('broadcasts');
  const { slug } = useApi();
  const navigate = useNavigate();
  const create = useChange('panel_create_broadcast', {
    onDone: ({ id }) => void navigate(linkTo(slug, { page: 'broadcast', id })),
  });
  return (
    <FormDialog
      title={t.add}
      opened={opened}
      onClose={onClose}
      submit={t.create}
      initial={blank}
      onSubmit={async ({ name, sender_id, template_id, purpose_id }) =>
        await create.mutateAsync({
          body: {
            name,
            sender_id: Number(sender_id),
            template_id: Number(template_id),
            audience: { purpose_id: Number(purpose_id) },
          },
        })
      }
    >
      {(form) => (
        <>
          <TextInput
            label={t.name}
            description={t.name_help}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <PurposeChoice {...form.getInputProps('purpose_id')} />
          <SenderChoice {...form.getInputProps('sender_id')} />
          <TemplateChoice {...form.getInputProps('template_id')} />
        </>
      )}
    </FormDialog>
  );
}
