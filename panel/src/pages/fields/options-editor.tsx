import { ActionIcon, Button, Fieldset, Group, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMessages } from '../../messages/use-messages.ts';
import { keyOf, type Option } from './field-values.ts';

/** The value follows the label until it is written by hand. */
export function OptionsEditor({
  options,
  onChange,
  kept,
  errors,
}: {
  options: Option[];
  onChange: (options: Option[]) => void;
  /** Values that answers may have already: they stay. */
  kept: string[];
  errors: string | undefined;
}) {
  const t = useMessages('fields');
  const set = (index: number, changes: Partial<Option>): void =>
    onChange(options.map((each, place) => (place === index ? { ...each, ...changes } : each)));
  return (
    <Fieldset legend={t.options} p="sm">
      <Text size="sm" c="dimmed" mb="xs">
        {t.options_help}
      </Text>
      {options.map(({ value, label }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- an option has no other identity while it is typed.
        <Group key={index} gap="xs" wrap="nowrap" mb="xs">
          <TextInput
            aria-label={t.option_label(index + 1)}
            placeholder={t.label}
            value={label}
            flex={3}
            onChange={({ target }) => {
              const follows = value === keyOf(label, 32) && !kept.includes(value);
              set(index, { label: target.value, ...(follows ? { value: keyOf(target.value, 32) } : {}) });
            }}
          />
          <TextInput
            aria-label={t.option_value(index + 1)}
            placeholder={t.value}
            value={value}
            readOnly={kept.includes(value)}
            flex={2}
            onChange={({ target }) => set(index, { value: target.value.toUpperCase() })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.remove_option(index + 1)}
            disabled={options.length === 1}
            onClick={() => onChange(options.filter((_each, place) => place !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {errors && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {errors}
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...options, { value: '', label: '' }])}
      >
        {t.add_option}
      </Button>
    </Fieldset>
  );
}
