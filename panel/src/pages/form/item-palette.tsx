import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, type Icon } from '@tabler/icons-react';
import { useState, type PointerEvent, type ReactNode } from 'react';
import { Section } from '../../parts/detail.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { FieldDialog } from '../fields/field-dialog.tsx';
import { unusedFields, unusedTerms, type Catalogue } from './catalogue.ts';
import { newItem, type DraftItem } from './draft.ts';
import styles from './form.module.css';
import { fieldIcons, kindIcons } from './item-words.tsx';

type Made = Omit<Partial<DraftItem>, 'key'> & Pick<DraftItem, 'kind'>;

interface ItemPaletteProps {
  kind: 'consent' | 'advanced';
  items: DraftItem[];
  catalogue: Catalogue;
  dragged: DraftItem | undefined;
  onAdd: (item: DraftItem) => void;
  onGrab: (event: PointerEvent, item: DraftItem) => void;
}

/** From so many fields on they are searched. */
const manyFields = 14;

/** What can be added to the form, by a click, by Enter or by dragging. */
export function ItemPalette({ kind, items, catalogue, dragged, onAdd, onGrab }: ItemPaletteProps) {
  const t = useMessages('form');
  const can = useCan();
  const [sought, setSought] = useState('');
  const [adding, { open, close }] = useDisclosure();
  // What is being dragged in stays, for a finger holds on to it.
  const rest = items.filter(({ key }) => key !== dragged?.key);
  const fields = unusedFields(catalogue, kind, rest);
  const terms = unusedTerms(catalogue, rest);
  const found = fields.filter(({ name, field_key }) =>
    `${name} ${field_key}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  const hasConsent = rest.some((item) => item.kind === 'consent');
  const chip = (icon: Icon, name: string, made: Made) => (
    <Chip
      key={`${made.kind} ${made.field_id ?? made.term_id ?? ''}`}
      icon={icon}
      name={name}
      made={made}
      onAdd={onAdd}
      onGrab={onGrab}
    />
  );
  return (
    <Section title={t.add}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.add_help}
      </Text>
      <Chips name={t.add_fields}>
        {fields.length > manyFields && (
          <TextInput
            size="xs"
            aria-label={t.find_field}
            placeholder={t.find_field}
            value={sought}
            onChange={({ target }) => setSought(target.value)}
          />
        )}
        {found.map(({ id, name, type, field_key }) =>
          chip(fieldIcons[type], name, {
            kind: 'field',
            field_id: id,
            // Without an address nobody can be written to.
            is_required: field_key === 'EMAIL',
          }),
        )}
        {kind === 'advanced' && can('panel_create_field') && (
          <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={open}>
            {t.new_field}
          </Button>
        )}
      </Chips>
      {(terms.length > 0 || !hasConsent) && (
        <Chips name={t.add_consents}>
          {terms.map(({ id, name }) => chip(kindIcons.consent, name, { kind: 'consent', term_id: id }))}
          {terms.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.no_terms} <PageLink page="consent">{t.to_consent}</PageLink>
            </Text>
          )}
        </Chips>
      )}
      <Chips name={t.add_layout}>
        {chip(kindIcons.text, t.add_text, { kind: 'text' })}
        {chip(kindIcons.divider, t.add_divider, { kind: 'divider' })}
      </Chips>
      {can('panel_create_field') && (
        <FieldDialog
          opened={adding}
          onClose={close}
          onCreated={({ id }) => onAdd(newItem({ kind: 'field', field_id: id }))}
        />
      )}
    </Section>
  );
}

function Chips({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={name} className={styles['chips']}>
      <Text size="xs" c="dimmed" fw={550}>
        {name}
      </Text>
      {children}
    </div>
  );
}

function Chip({
  icon: Shown,
  name,
  made,
  onAdd,
  onGrab,
}: Pick<ItemPaletteProps, 'onAdd' | 'onGrab'> & { icon: Icon; name: string; made: Made }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={styles['chip']}
      leftSection={<Shown size={14} aria-hidden />}
      onClick={() => onAdd(newItem(made))}
      onPointerDown={(event) => {
        // A finger scrolls the page here, and adds by a tap.
        if (event.pointerType !== 'touch') onGrab(event, newItem(made));
      }}
    >
      {name}
    </Button>
  );
}
