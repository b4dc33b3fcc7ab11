import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import styles from './parts.module.css';

/** The values of the parameter `sort` by which a column is sorted; empty is the order that the list has by itself. */
export interface ColumnSort {
  ascending?: string;
  descending?: string;
}

export interface Sorting {
  /** What the address says. */
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

type Direction = keyof ColumnSort;

/** Undefined where the list is in another order. */
export function directionOf(of: ColumnSort, sort = ''): Direction | undefined {
  return (['ascending', 'descending'] as const).find((each) => of[each] === sort);
}

/** What pressing the header asks for: the other direction, the first one, or no order. */
export function nextSort(of: ColumnSort, sort: string | undefined): string | undefined {
  const now = directionOf(of, sort);
  const next =
    now === undefined
      ? (of.ascending ?? of.descending)
      : of[now === 'ascending' ? 'descending' : 'ascending'];
  return next || undefined;
}

export function SortHeader({ header, of, sorting }: { header: string; of: ColumnSort; sorting: Sorting }) {
  const direction = directionOf(of, sorting.sort);
  const Arrow =
    direction === undefined ? IconArrowsSort : direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton
      className={styles['sort']}
      data-sorted={direction}
      onClick={() => sorting.onSort(nextSort(of, sorting.sort))}
    >
      {header}
      <Arrow size={12} aria-hidden />
    </UnstyledButton>
  );
}
