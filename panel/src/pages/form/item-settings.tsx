import {
  Anchor,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useMessages } from '../../messages/use-messages.ts';
import { currentOf, type Catalogue } from './catalogue.ts';
import type { DraftItem } from './draft.ts';
import styles from './form.module.css';

interface ItemSettingsProps {
  item: DraftItem;
  catalogue: Catalogue;
  place: number;
  count: number;
  onChange: (changes: Partial<DraftItem>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

export function ItemSettings({
  item,
  catalogue,
  place,
  count,
  onChange,
  onMove,
  onRemove,
}: ItemSettingsProps) {
  const t = useMessages('form');
  return (
    <Stack gap="sm" className={styles['settings']}>
      {item.kind === 'field' && <FieldSettings item={item} catalogue={catalogue} onChange={onChange} />}
      {item.kind === 'consent' && <ConsentSettings item={item} catalogue={catalogue} onChange={onChange} />}
      {item.kind === 'text' && (
        <Textarea
          label={t.content}
          description={t.content_help}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={10_000}
          value={item.content}
          onChange={({ target }) => onChange({ content: target.value })}
        />
      )}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowUp size={14} />}
          disabled={place === 0}
          onClick={() => onMove(place - 1)}
        >
          {t.up}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowDown size={14} />}
          disabled={place === count - 1}
          onClick={() => onMove(place + 1)}
        >
          {t.down}
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="xs"
          leftSection={<IconTrash size={14} />}
          onClick={onRemove}
          ml="auto"
        >
          {t.remove_item}
        </Button>
      </Group>
    </Stack>
  );
}

type Settings = Pick<ItemSettingsProps, 'item' | 'catalogue' | 'onChange'>;

function FieldSettings({ item, catalogue, onChange }: Settings) {
  const t = useMessages('form');
  return (
    <>
      <TextInput
        label={t.label}
        description={t.label_help(catalogue.fieldOf(item)?.name ?? t.unknown)}
        maxLength={1000}
        value={item.label}
        onChange={({ target }) => onChange({ label: target.value })}
      />
      <Group justify="space-between">
        <Switch
          label={t.is_required}
          checked={item.is_required}
          onChange={({ currentTarget }) => onChange({ is_required: currentTarget.checked })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t.width}
          value={item.width}
          onChange={(width) => onChange({ width })}
          data={(['full', 'half'] as const).map((value) => ({
            value,
            label: value === 'full' ? `${t.width}: ${t.widths.full}` : t.widths.half,
          }))}
        />
      </Group>
    </>
  );
}

function ConsentSettings({ item, catalogue, onChange }: Settings) {
  const t = useMessages('form');
  const term = catalogue.termOf(item);
  const current = term && currentOf(term);
  return (
    <>
      {term && current && (
        <div
          className={styles['term']}
          role="region"
          tabIndex={0}
          aria-label={t.agrees_to(term.name, current.version)}
        >
          <Text size="sm" fw={600}>
            {t.agrees_to(term.name, current.version)}
          </Text>
          <Text size="sm" className={styles['lines']}>
            {current.body}
          </Text>
          {current.document_url && (
            <Anchor size="sm" href={current.document_url} target="_blank" rel="noopener noreferrer">
              {t.document}
            </Anchor>
          )}
        </div>
      )}
      <TextInput
        label={t.consent_label}
        placeholder={term && t.agree(term.name)}
        maxLength={1000}
        value={item.label}
        onChange={({ target }) => onChange({ label: target.value })}
      />
      <Switch
        label={t.is_required}
        description={t.required_consent}
        checked={item.is_required}
        onChange={({ currentTarget }) => onChange({ is_required: currentTarget.checked })}
      />
    </>
  );
}
