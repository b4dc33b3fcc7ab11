import { useCallback, useEffect, useRef, useState, type PointerEvent as ReactPointerEvent } from 'react';
import { moved, type DraftItem } from './draft.ts';

/** How far a pointer goes before it drags, so that a click stays one. */
const threshold = 6;
/** How near the edge of the window a drag scrolls it, and by how much. */
const edge = 48;
const step = 14;

interface Drag {
  item: DraftItem;
  /** It comes from outside of the list, and leaves again where it is not dropped into it. */
  is_new: boolean;
  x: number;
  y: number;
  has_begun: boolean;
}

/** Drags items within their list, and new ones into it, by mouse, pen or finger. */
export function useItemDrag(items: DraftItem[], setItems: (items: DraftItem[]) => void) {
  const list = useRef<HTMLOListElement>(null);
  const drag = useRef<Drag>(undefined);
  const latest = useRef({ items, setItems });
  latest.current = { items, setItems };
  const [dragged, setDragged] = useState<DraftItem>();

  useEffect(() => {
    const onMove = (event: PointerEvent): void => {
      const current = drag.current;
      if (!current) return;
      const distance = Math.hypot(event.clientX - current.x, event.clientY - current.y);
      if (!current.has_begun && distance < threshold) return;
      if (!current.has_begun) setDragged(current.item);
      current.has_begun = true;
      event.preventDefault();
      if (event.clientY < edge) scrollBy(0, -step);
      if (event.clientY > innerHeight - edge) scrollBy(0, step);
      place(current, event);
    };
    const place = ({ item, is_new }: Drag, { clientX, clientY }: PointerEvent): void => {
      const { items: present, setItems: set } = latest.current;
      const others = present.filter(({ key }) => key !== item.key);
      if (is_new && !isOver(list.current, clientX, clientY)) {
        if (others.length < present.length) set(others);
        return;
      }
      const to = placeOf(list.current, item.key, clientY);
      if (present[to]?.key === item.key) return;
      const known = present.find(({ key }) => key === item.key) ?? item;
      set(moved([...others, known], item.key, to));
    };
    const onEnd = (): void => {
      drag.current = undefined;
      setDragged(undefined);
    };
    addEventListener('pointermove', onMove, { passive: false });
    addEventListener('pointerup', onEnd);
    addEventListener('pointercancel', onEnd);
    return () => {
      removeEventListener('pointermove', onMove);
      removeEventListener('pointerup', onEnd);
      removeEventListener('pointercancel', onEnd);
    };
  }, []);

  const start = useCallback((event: ReactPointerEvent, item: DraftItem, is_new = false): void => {
    if (event.button !== 0) return;
    drag.current = { item, is_new, x: event.clientX, y: event.clientY, has_begun: false };
  }, []);
  return { list, dragged, start };
}

/** The place in the list that a height of the window stands for. */
function placeOf(list: HTMLElement | null, key: string, y: number): number {
  const rows = [...(list?.children ?? [])].filter((row) => row.getAttribute('data-key') !== key);
  return rows.filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}

function isOver(list: HTMLElement | null, x: number, y: number): boolean {
  if (!list) return false;
  const { left, right, top, bottom } = list.getBoundingClientRect();
  return x > left && x < right && y > top - edge && y < bottom + edge;
}
