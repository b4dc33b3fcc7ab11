import { TextInput } from '@mantine/core';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import type { Edited } from './edited.ts';

/** The name that people see, and the one that code sends by. */
export function RenameDialog({
  template,
  opened,
  onClose,
}: Edited & { opened: boolean; onClose: () => void }) {
  const t = useMessages('template');
  const rename = useChange('panel_update_template', { onDone: () => toast(t.renamed) });
  return (
    <FormDialog
      title={t.rename}
      opened={opened}
      onClose={onClose}
      initial={{ name: template.name, alias: template.alias ?? '' }}
      onSubmit={async ({ name, alias }) =>
        await rename.mutateAsync({
          params: { template_id: template.id },
          body: { name, alias: alias || null },
        })
      }
    >
      {(form) => (
        <>
          <TextInput label={t.name} data-autofocus {...form.getInputProps('name')} />
          <TextInput
            label={t.alias}
            description={t.alias_help}
            placeholder="order.paid"
            {...form.getInputProps('alias')}
          />
        </>
      )}
    </FormDialog>
  );
}
