import { ActionIcon, Collapse, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconGripVertical } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useMessages } from '../../messages/use-messages.ts';
import type { Catalogue } from './catalogue.ts';
import type { DraftItem } from './draft.ts';
import styles from './form.module.css';
import { ItemSettings } from './item-settings.tsx';
import { useItemWords } from './item-words.tsx';

interface ItemRowProps {
  item: DraftItem;
  place: number;
  count: number;
  catalogue: Catalogue;
  isOpen: boolean;
  isDragged: boolean;
  /** It takes the focus once it is there. */
  hasFocus: boolean;
  problems: string[];
  onToggle: () => void;
  onMove: (to: number) => void;
  onGrab: (event: PointerEvent) => void;
  onChange: (changes: Partial<DraftItem>) => void;
  onRemove: () => void;
}

/** One item of a form: its handle, what it is, and, when open, its settings. */
export function ItemRow(props: ItemRowProps) {
  const { item, place, count, catalogue, isOpen, isDragged, hasFocus, problems, onToggle, onMove } = props;
  const t = useMessages('form');
  const { icon: Icon, title, about } = useItemWords(catalogue)(item);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasFocus) toggle.current?.focus();
  }, [hasFocus]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to < count) onMove(to);
  };
  const settingsId = `${item.key}-settings`;
  return (
    <li className={styles['item']} data-key={item.key} data-dragged={isDragged || undefined}>
      <div className={styles['itemHead']}>
        <ActionIcon
          className={styles['handle']}
          variant="subtle"
          color="gray"
          aria-label={t.move(title)}
          aria-keyshortcuts="ArrowUp ArrowDown"
          onPointerDown={props.onGrab}
          onKeyDown={onKeyDown}
        >
          <IconGripVertical size={16} />
        </ActionIcon>
        <UnstyledButton
          ref={toggle}
          className={styles['itemName']}
          aria-expanded={isOpen}
          aria-controls={isOpen ? settingsId : undefined}
          onClick={onToggle}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
          <span>
            <Text component="span" fw={550} truncate display="block">
              {title}
            </Text>
            {about && (
              <Text component="span" size="xs" c="dimmed" truncate display="block">
                {about}
              </Text>
            )}
          </span>
          <IconChevronDown size={16} aria-hidden className={styles['chevron']} />
        </UnstyledButton>
      </div>
      {problems.map((message) => (
        <Text key={message} size="xs" className={styles['problem']}>
          <IconAlertTriangle size={14} aria-hidden /> {message}
        </Text>
      ))}
      <Collapse expanded={isOpen} id={settingsId}>
        {isOpen && (
          <ItemSettings
            item={item}
            catalogue={catalogue}
            place={place}
            count={count}
            onChange={props.onChange}
            onMove={onMove}
            onRemove={props.onRemove}
          />
        )}
      </Collapse>
    </li>
  );
}
