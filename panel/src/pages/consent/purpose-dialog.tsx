import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ConsentPurpose } from '../../api/operations.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import { useCatalogue } from './catalogue.ts';

/** Adds a purpose, or changes the one given. */
export function PurposeDialog({
  opened,
  onClose,
  purpose,
}: {
  opened: boolean;
  onClose: () => void;
  purpose?: ConsentPurpose;
}) {
  const t = useMessages('consent');
  const can = useCan();
  const create = useChange('panel_create_consent_purpose', { onDone: () => toast(t.purpose_created) });
  const update = useChange('panel_update_consent_purpose', { onDone: () => toast(t.purpose_saved) });
  return (
    <FormDialog
      title={purpose ? t.edit_purpose : t.add_purpose}
      opened={opened}
      onClose={onClose}
      initial={{
        name: purpose?.name ?? '',
        code: purpose?.code ?? '',
        description: purpose?.description ?? '',
        is_enabled: purpose?.is_enabled !== 0,
      }}
      submit={purpose ? undefined : t.create}
      onSubmit={async ({ name, code, description: typed }, { code: _fixed, ...changed }) => {
        const description = typed.trim() || null;
        if (!purpose) return await create.mutateAsync({ body: { name, code, description } });
        const body = 'description' in changed ? { ...changed, description } : changed;
        return await update.mutateAsync({ params: { id: purpose.id }, body });
      }}
    >
      {(form) => (
        <>
          <TextInput label={t.name} data-autofocus {...form.getInputProps('name')} />
          <TextInput
            label={t.code}
            description={purpose ? undefined : t.code_help}
            readOnly={purpose !== undefined}
            {...form.getInputProps('code')}
          />
          <Textarea label={t.description} rows={3} {...form.getInputProps('description')} />
          {purpose && (
            <>
              <Checkbox label={t.enabled_label} {...form.getInputProps('is_enabled', { type: 'checkbox' })} />
              {purpose.is_enabled === 1 && !form.values.is_enabled && <DisableNote purpose={purpose} />}
              {can('panel_delete_consent_purpose') && <DeletePurpose purpose={purpose} onDeleted={onClose} />}
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

function DisableNote({ purpose }: { purpose: ConsentPurpose }) {
  const t = useMessages('consent');
  const { number } = useFormat();
  const { terms } = useCatalogue();
  const count = terms.filter(({ purpose_ids }) => purpose_ids.includes(purpose.id)).length;
  return (
    <Text size="sm" c="dimmed">
      {t.disable_about(number(count))}
    </Text>
  );
}

function DeletePurpose({
  purpose: { id, name },
  onDeleted,
}: {
  purpose: ConsentPurpose;
  onDeleted: () => void;
}) {
  const t = useMessages('consent');
  const remove = useChange('panel_delete_consent_purpose', { onDone: () => toast(t.purpose_deleted) });
  return (
    <RemoveButton
      label={t.delete_purpose}
      icon={IconTrash}
      about={t.delete_about(name)}
      name={name}
      run={async () => {
        await remove.mutateAsync({ params: { id } });
        onDeleted();
      }}
    />
  );
}
