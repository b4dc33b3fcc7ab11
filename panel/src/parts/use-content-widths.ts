import { useLayoutEffect, useState, type RefObject } from 'react';

const attribute = 'data-measuring';
/** Widths are rounded up to it. */
const stepRem = 0.25;

/**
 * How wide the values of each column are, in rem, by the order of what is shown: the table is laid out once by its content,
 * before it is painted. A column that was wide stays so while the list is open, so that nothing jumps between pages.
 */
export function useContentWidths(
  box: RefObject<HTMLElement | null>,
  { rows, room, columns }: { rows: unknown; room: number; columns: string },
): ReadonlyMap<string, number> {
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  useLayoutEffect(() => {
    const table = box.current?.querySelector('table');
    if (!table || rows === undefined || room === 0) return undefined;
    const measure = (): void => {
      const measured = measureColumns(table);
      setWidths((before) => {
        const wider = measured.filter(([name, width]) => width > (before.get(name) ?? 0));
        return wider.length === 0 ? before : new Map([...before, ...wider]);
      });
    };
    measure();
    // Before the typeface of the panel has come, another one stands in for it.
    document.fonts.addEventListener('loadingdone', measure);
    return () => document.fonts.removeEventListener('loadingdone', measure);
    // Once more after `widths`: there may be room for another column.
  }, [box, rows, room, columns, widths]);
  return widths;
}

function measureColumns(table: HTMLTableElement): [string, number][] {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  table.setAttribute(attribute, '');
  const headers = [...table.querySelectorAll<HTMLElement>('thead th[data-column]')];
  const widths = headers.map((header): [string, number] => [
    header.dataset['column'] ?? '',
    Math.ceil(header.getBoundingClientRect().width / rem / stepRem) * stepRem,
  ]);
  table.removeAttribute(attribute);
  return widths;
}
