import { Checkbox, TextInput } from '@mantine/core';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

export function AddSource({ opened, onClose }: DialogProps) {
  const t = useMessages('operator');
  const add = useAccountChange('panel_operator_add_source', () => toast(t.source_added));
  return (
    <FormDialog
      title={t.add_source}
      opened={opened}
      onClose={onClose}
      initial={{ address: '', ehlo_name: '', pool: 'default', warms_up: true }}
      submit={t.add_source}
      onSubmit={async (body) => await add.mutateAsync({ body })}
    >
      {(form) => (
        <>
          <TextInput
            label={t.source}
            placeholder="203.0.113.5"
            data-autofocus
            {...form.getInputProps('address')}
          />
          <TextInput
            label={t.ehlo}
            description={t.ehlo_help}
            placeholder="out1.example.com"
            {...form.getInputProps('ehlo_name')}
          />
          <TextInput label={t.pool} {...form.getInputProps('pool')} />
          <Checkbox
            label={t.warms_up}
            description={t.warms_up_help}
            {...form.getInputProps('warms_up', { type: 'checkbox' })}
          />
        </>
      )}
    </FormDialog>
  );
}

export function AssignPool({ opened, onClose }: DialogProps) {
  const t = useMessages('operator');
  const assign = useAccountChange('panel_operator_assign_source_pool', () => toast(t.assigned));
  return (
    <FormDialog
      title={t.assign}
      opened={opened}
      onClose={onClose}
      initial={{ slug: '', pool: 'default' }}
      submit={t.assign}
      onSubmit={async ({ slug, pool }) => await assign.mutateAsync({ params: { slug }, body: { pool } })}
    >
      {(form) => (
        <>
          <TextInput label={t.slug} data-autofocus {...form.getInputProps('slug')} />
          <TextInput label={t.pool} {...form.getInputProps('pool')} />
        </>
      )}
    </FormDialog>
  );
}
