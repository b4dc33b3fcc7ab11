import { Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Violation } from '../../api/problem.ts';
import { Section } from '../../parts/detail.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import type { Catalogue } from './catalogue.ts';
import { moved, type ChangeDraft, type Draft, type DraftItem } from './draft.ts';
import styles from './form.module.css';
import { ItemPalette } from './item-palette.tsx';
import { ItemRow } from './item-row.tsx';
import { useItemWords } from './item-words.tsx';
import { useItemDrag } from './use-item-drag.ts';

/** What the form asks for and shows, in its order. */
export function ItemsEditor({
  draft: { items, kind },
  change,
  catalogue,
  problems,
}: {
  draft: Draft;
  change: ChangeDraft;
  catalogue: Catalogue;
  problems: Violation[];
}) {
  const t = useMessages('form');
  const wordsOf = useItemWords(catalogue);
  const [open, setOpen] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const [said, setSaid] = useState('');
  const set = (next: DraftItem[]): void => change({ items: next });
  const { list, dragged, start } = useItemDrag(items, set);
  const add = (item: DraftItem): void => {
    // A drag that ended in the list has added it already.
    if (items.some(({ key }) => key === item.key)) return;
    set([...items, item]);
    setFocused(item.key);
    setOpen(item.kind === 'text' ? item.key : undefined);
    setSaid(t.added_item(wordsOf(item).title, items.length + 1));
  };
  const move = (item: DraftItem, to: number): void => {
    set(moved(items, item.key, to));
    setSaid(t.moved(wordsOf(item).title, to + 1, items.length));
  };
  const remove = (item: DraftItem, place: number): void => {
    const rest = items.filter(({ key }) => key !== item.key);
    set(rest);
    setFocused(rest[Math.min(place, rest.length - 1)]?.key);
    setSaid(t.removed_item(wordsOf(item).title));
  };
  const general = problems.filter(({ pointer }) => pointer === '/items');
  return (
    <>
      <Section title={t.items}>
        <Text size="sm" c="dimmed" mb="sm">
          {items.length === 0 ? t.no_items : t.items_help}
        </Text>
        <ol ref={list} className={styles['items']} aria-label={t.items}>
          {items.map((item, place) => (
            <ItemRow
              key={item.key}
              item={item}
              place={place}
              count={items.length}
              catalogue={catalogue}
              isOpen={open === item.key && dragged === undefined}
              isDragged={dragged?.key === item.key}
              hasFocus={focused === item.key}
              problems={messagesAt(problems, place)}
              onToggle={() => setOpen(open === item.key ? undefined : item.key)}
              onMove={(to) => move(item, to)}
              onGrab={(event) => start(event, item)}
              onChange={(changes) =>
                set(items.map((each) => (each.key === item.key ? { ...each, ...changes } : each)))
              }
              onRemove={() => remove(item, place)}
            />
          ))}
        </ol>
        {general.map(({ message }) => (
          <Text key={message} size="xs" className={styles['problem']}>
            {message}
          </Text>
        ))}
        <VisuallyHidden role="status">{said}</VisuallyHidden>
      </Section>
      <ItemPalette
        kind={kind}
        items={items}
        catalogue={catalogue}
        dragged={dragged}
        onAdd={add}
        onGrab={(event, item) => start(event, item, true)}
      />
    </>
  );
}

function messagesAt(problems: Violation[], place: number): string[] {
  return problems
    .filter(({ pointer }) => pointer.startsWith(`/items/${place}/`))
    .map(({ message }) => message);
}
