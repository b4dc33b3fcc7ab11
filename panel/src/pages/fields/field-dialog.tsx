import { Group, Select, Switch, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import type { Field } from '../../api/operations.ts';
import { ApiProblem } from '../../api/problem.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import {
  blankField,
  configMembers,
  configOf,
  fieldTypes,
  hasLength,
  hasOptions,
  hasRange,
  keyOf,
  valuesOf,
  type FieldValues,
  type Option,
} from './field-values.ts';
import { OptionsEditor } from './options-editor.tsx';

interface FieldDialogProps {
  opened: boolean;
  onClose: () => void;
  field?: Field;
  onCreated?: (field: Field) => void;
}

/** Makes a field of the catalogue, or changes the one given. */
export function FieldDialog({ opened, onClose, field, onCreated }: FieldDialogProps) {
  const t = useMessages('fields');
  const create = useChange('panel_create_field', { onDone: () => toast(t.added) });
  const update = useChange('panel_update_field', { onDone: () => toast(t.saved) });
  const save = async (values: FieldValues, changed: Partial<FieldValues>): Promise<void> => {
    const { name, field_key, type, is_active } = values;
    if (!field) {
      const created = await create.mutateAsync({ body: { name, field_key, type, config: configOf(values) } });
      onCreated?.(created);
      return;
    }
    // An inactive field is read-only until it is active again.
    const isReadOnly = !field.is_active && !is_active;
    const has = (member: keyof FieldValues): boolean => member in changed;
    const changes = {
      ...(has('name') ? { name } : {}),
      ...(has('is_active') ? { is_active } : {}),
      ...(configMembers.some(has) ? { config: configOf(values, field.config) } : {}),
    };
    await update.mutateAsync({ params: { id: field.id }, body: isReadOnly ? {} : changes });
  };
  return (
    <FormDialog
      title={field ? t.edit : t.add}
      opened={opened}
      onClose={onClose}
      initial={field ? valuesOf(field) : blankField}
      submit={field ? undefined : t.create}
      onSubmit={async (values, changed) => await save(values, changed).catch(atInputs)}
    >
      {(form) => (
        <>
          <Naming form={form} field={field} />
          {hasOptions(form.values.type) && (
            <OptionsEditor
              options={form.values.options}
              onChange={(options) => form.setFieldValue('options', options)}
              kept={((field?.config?.['options'] ?? []) as Option[]).map(({ value }) => value)}
              errors={form.errors['options'] as string | undefined}
            />
          )}
          <Limits form={form} />
          {field && (
            <Switch
              label={t.is_active}
              description={t.is_active_help}
              {...form.getInputProps('is_active', { type: 'checkbox' })}
            />
          )}
          {field?.is_system && (
            <Text size="sm" c="dimmed">
              {t.is_system_help}
            </Text>
          )}
          {field && !field.is_system && <DeleteField field={field} onDeleted={onClose} />}
        </>
      )}
    </FormDialog>
  );
}

/** Mistakes of `config` stand at the input of the member: `/config/options/0/value` at the options. */
function atInputs(error: unknown): never {
  if (!(error instanceof ApiProblem)) throw error;
  const errors = error.errors.map((each) => ({ ...each, pointer: each.pointer.replace(/^\/config\//, '/') }));
  const { status, code, message: detail, trace_id } = error;
  throw new ApiProblem({ status, code, detail, errors, ...(trace_id ? { trace_id } : {}) });
}

function Naming({ form, field }: { form: UseFormReturnType<FieldValues>; field: Field | undefined }) {
  const t = useMessages('fields');
  const { name, field_key } = form.values;
  return (
    <>
      <TextInput
        label={t.name}
        description={t.name_help}
        data-autofocus
        {...form.getInputProps('name')}
        onChange={({ target }) => {
          // The key follows the name until it is written by hand.
          if (!field && field_key === keyOf(name)) form.setFieldValue('field_key', keyOf(target.value));
          form.setFieldValue('name', target.value);
        }}
      />
      <TextInput
        label={t.key}
        description={field ? undefined : t.key_help}
        readOnly={field !== undefined}
        {...form.getInputProps('field_key')}
        onChange={({ target }) => form.setFieldValue('field_key', target.value.toUpperCase())}
      />
      {field ? (
        <TextInput label={t.type} readOnly value={t.types[field.type]} />
      ) : (
        <Select
          label={t.type}
          description={t.type_help}
          data={fieldTypes.map((value) => ({ value, label: t.types[value] }))}
          {...form.getInputProps('type')}
        />
      )}
    </>
  );
}

function Limits({ form }: { form: UseFormReturnType<FieldValues> }) {
  const t = useMessages('fields');
  const { type } = form.values;
  const isDate = type === 'date';
  if (hasLength(type)) {
    return (
      <Group grow align="flex-start">
        <TextInput label={t.min_length} inputMode="numeric" {...form.getInputProps('min_length')} />
        <TextInput label={t.max_length} inputMode="numeric" {...form.getInputProps('max_length')} />
      </Group>
    );
  }
  if (!hasRange(type)) return null;
  const kind = isDate ? { type: 'date' } : { inputMode: 'decimal' as const };
  return (
    <Group grow align="flex-start">
      <TextInput label={isDate ? t.first_day : t.min} {...kind} {...form.getInputProps('min')} />
      <TextInput label={isDate ? t.last_day : t.max} {...kind} {...form.getInputProps('max')} />
    </Group>
  );
}

function DeleteField({ field: { id, field_key }, onDeleted }: { field: Field; onDeleted: () => void }) {
  const t = useMessages('fields');
  const can = useCan();
  const remove = useChange('panel_delete_field', { onDone: () => toast(t.removed) });
  if (!can('panel_delete_field')) return null;
  return (
    <RemoveButton
      label={t.remove}
      icon={IconTrash}
      about={t.remove_about(field_key)}
      name={field_key}
      run={async () => {
        await remove.mutateAsync({ params: { id } });
        onDeleted();
      }}
    />
  );
}
