import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { ImportDialog } from './import-dialog.tsx';

/** Restrict one address, or those of a file. */
export function RestrictionActions() {
  const t = useMessages('suppressions');
  const can = useCan();
  const [adding, add] = useDisclosure();
  const [importing, importFile] = useDisclosure();
  if (!can('panel_create_restriction')) return null;
  return (
    <>
      {can('panel_import_restrictions') && (
        <Button variant="default" leftSection={<IconUpload size={16} />} onClick={importFile.open}>
          {t.import}
        </Button>
      )}
      <Button leftSection={<IconPlus size={16} />} onClick={add.open}>
        {t.add}
      </Button>
      <AddDialog opened={adding} onClose={add.close} />
      <ImportDialog opened={importing} onClose={importFile.close} />
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
