import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { Field } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { operatorsOf, type ConditionRow } from '../draft-values.ts';

const atMost = 10;

/** What the answers of a contact have to be. */
export function Conditions({
  rows,
  fields,
  onChange,
}: {
  rows: ConditionRow[];
  fields: Field[];
  onChange: (rows: ConditionRow[]) => void;
}) {
  const t = useMessages('broadcast');
  const set = (at: number, changes: Partial<ConditionRow>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.conditions}
      </Text>
      <Text size="xs" c="dimmed">
        {t.conditions_help}
      </Text>
      {rows.map((row, at) => (
        <Condition
          // Rows have no name of their own.
          key={at}
          row={row}
          fields={fields}
          onChange={(changes) => set(at, changes)}
          onRemove={() => onChange(rows.filter((_row, index) => index !== at))}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={rows.length >= atMost || fields.length === 0}
          onClick={() =>
            onChange([...rows, { field: fields[0]?.field_key ?? '', operator: 'equals', text: '' }])
          }
        >
          {t.add_condition}
        </Button>
      </div>
    </Stack>
  );
}

function Condition({
  row,
  fields,
  onChange,
  onRemove,
}: {
  row: ConditionRow;
  fields: Field[];
  onChange: (changes: Partial<ConditionRow>) => void;
  onRemove: () => void;
}) {
  const t = useMessages('broadcast');
  const field = fields.find(({ field_key }) => field_key === row.field);
  const operators = operatorsOf(field?.type);
  return (
    <Group gap="xs" wrap="wrap" align="flex-start">
      <Select
        aria-label={t.field}
        w="11rem"
        data={fields.map(({ field_key, name }) => ({ value: field_key, label: name }))}
        value={row.field}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = fields.find(({ field_key }) => field_key === value);
          onChange({ field: value ?? '', operator: operatorsOf(chosen?.type)[0] ?? 'equals', text: '' });
        }}
      />
      <Select
        aria-label={t.operator}
        w="9rem"
        data={operators.map((value) => ({ value, label: t.operators[value] }))}
        value={row.operator}
        allowDeselect={false}
        onChange={(value) => onChange({ operator: value ?? 'equals' })}
      />
      <Value row={row} field={field} onChange={(text) => onChange({ text })} />
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={t.remove_condition} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}

function Value({
  row: { operator, text },
  field,
  onChange,
}: {
  row: ConditionRow;
  field: Field | undefined;
  onChange: (text: string) => void;
}) {
  const t = useMessages('broadcast');
  const shape = { 'aria-label': t.value, flex: '1 1 6rem', value: text };
  const options = optionsOf(field, { yes: t.yes, no: t.no });
  if (options && operator !== 'in') {
    return (
      <Select {...shape} data={options} allowDeselect={false} onChange={(value) => onChange(value ?? '')} />
    );
  }
  return (
    <TextInput
      {...shape}
      type={field?.type === 'date' && operator !== 'in' ? 'date' : 'text'}
      placeholder={operator === 'in' ? t.values_help : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function optionsOf(
  field: Field | undefined,
  { yes, no }: { yes: string; no: string },
): { value: string; label: string }[] | undefined {
  if (field?.type === 'boolean') {
    return [
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ];
  }
  const { options } = (field?.config ?? {}) as { options?: { value: string; label: string }[] };
  return options;
}
