import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import styles from './parts.module.css';

interface OrderedListProps<Row> {
  label: string;
  rows: Row[];
  idOf: (row: Row) => number;
  /** By which a row is announced. */
  nameOf: (row: Row) => string;
  /** All ids in their new order; absent for those who may not change it. */
  onOrder?: ((ids: number[]) => void) | undefined;
  children: (row: Row) => ReactNode;
}

/** Where a thing that was dragged to this height belongs, of rows from top to bottom. */
export function placeAt(y: number, rows: readonly { top: number; height: number }[]): number {
  const above = rows.filter(({ top, height }) => y > top + height / 2).length;
  return Math.min(above, rows.length - 1);
}

export function moved(ids: readonly number[], id: number, to: number): number[] {
  const others = ids.filter((each) => each !== id);
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, id);
}

/** Rows whose order matters: by dragging their handle, or with the arrow keys on it. */
export function OrderedList<Row>({ label, rows, idOf, nameOf, onOrder, children }: OrderedListProps<Row>) {
  const t = useMessages('parts');
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<{ id: number; ids: number[] }>();
  const [announced, setAnnounced] = useState('');
  const present = rows.map(idOf);
  const ids = dragged?.ids ?? present;
  const byId = new Map(rows.map((row) => [idOf(row), row]));

  const placeOf = (y: number): number =>
    placeAt(
      y,
      Array.from(list.current?.children ?? [], (each) => each.getBoundingClientRect()),
    );
  const drag = (id: number) => ({
    onPointerDown(event: PointerEvent<HTMLButtonElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragged({ id, ids: present });
    },
    onPointerMove({ clientY }: PointerEvent) {
      if (dragged?.id === id) setDragged({ id, ids: moved(dragged.ids, id, placeOf(clientY)) });
    },
    onPointerUp() {
      if (dragged && dragged.ids.join() !== present.join()) onOrder?.(dragged.ids);
      setDragged(undefined);
    },
    onPointerCancel: () => setDragged(undefined),
    onKeyDown(event: KeyboardEvent) {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const row = byId.get(id);
      if (step === undefined || !row) return;
      event.preventDefault();
      const to = present.indexOf(id) + step;
      if (to < 0 || to >= present.length) return;
      setAnnounced(t.moved_to(nameOf(row), String(to + 1), String(present.length)));
      onOrder?.(moved(present, id, to));
    },
  });

  return (
    <>
      <ol ref={list} className={styles['ordered']} aria-label={label}>
        {ids.map((id) => {
          const row = byId.get(id);
          return (
            row && (
              <li key={id} data-dragged={dragged?.id === id || undefined}>
                {onOrder && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    className={styles['handle']}
                    aria-label={t.move(nameOf(row))}
                    title={t.move_help}
                    {...drag(id)}
                  >
                    <IconGripVertical size={16} />
                  </ActionIcon>
                )}
                <div>{children(row)}</div>
              </li>
            )
          );
        })}
      </ol>
      <VisuallyHidden role="status">{announced}</VisuallyHidden>
    </>
  );
}
