import { TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { AddButton } from '../../parts/add-button.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { ImportDialog } from './import-dialog.tsx';

/** Restrict one address, or those of a file. */
export function RestrictionActions() {
  const t = useMessages('suppressions');
  return (
    <>
      <AddButton
        variant="default"
        label={t.import}
        icon={IconUpload}
        needs="panel_import_restrictions"
        dialog={(state) => <ImportDialog {...state} />}
      />
      <AddButton
        label={t.add}
        needs="panel_create_restriction"
        dialog={(state) => <AddDialog {...state} />}
      />
    </>
  );
}

function AddDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useMessages('suppressions');
  const create = useChange('panel_create_restriction', {
    onDone: ({ recipient }) => toast(t.added(recipient)),
  });
  return (
    <FormDialog
      title={t.add}
      opened={opened}
      onClose={onClose}
      submit={t.add_action}
      initial={{ recipient: '', detail: '' }}
      onSubmit={async ({ recipient, detail }) =>
        await create.mutateAsync({ body: { recipient, detail: detail.trim() || null } })
      }
    >
      {(form) => (
        <>
          <TextInput
            label={t.address}
            description={t.add_help}
            type="email"
            data-autofocus
            {...form.getInputProps('recipient')}
          />
          <TextInput label={t.detail} description={t.detail_help} {...form.getInputProps('detail')} />
        </>
      )}
    </FormDialog>
  );
}
