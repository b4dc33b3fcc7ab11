import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import styles from './parts.module.css';

/** Rows that were chosen, to do the same with all of them. */
export interface Selection {
  ids: ReadonlySet<string>;
  change: (ids: ReadonlySet<string>) => void;
}

/** Of the rows that are shown: one that leaves the page is no longer chosen. */
export function useSelection(shown: string[]): Selection {
  const [chosen, change] = useState<ReadonlySet<string>>(new Set());
  return { ids: new Set(shown.filter((id) => chosen.has(id))), change };
}

export function SelectAll({ selection: { ids, change }, ids: all }: { selection: Selection; ids: string[] }) {
  const t = useMessages('parts');
  const isAll = all.length > 0 && ids.size === all.length;
  return (
    <Checkbox
      size="xs"
      aria-label={t.select_all}
      checked={isAll}
      indeterminate={ids.size > 0 && !isAll}
      onChange={() => change(new Set(isAll ? [] : all))}
    />
  );
}

export function SelectRow({ selection: { ids, change }, id }: { selection: Selection; id: string }) {
  const t = useMessages('parts');
  return (
    <Checkbox
      size="xs"
      aria-label={t.select_row}
      checked={ids.has(id)}
      onChange={({ currentTarget: { checked } }) => {
        const next = new Set(ids);
        if (checked) next.add(id);
        else next.delete(id);
        change(next);
      }}
    />
  );
}

/** How many rows are chosen, and what can be done with them. */
export function SelectionBar({
  selection: { ids, change },
  children,
}: {
  selection: Selection;
  children: ReactNode;
}) {
  const t = useMessages('parts');
  if (ids.size === 0) return null;
  return (
    <Group className={styles['selected']} gap="sm" role="group" aria-label={t.selected(ids.size)}>
      <Text size="sm" fw={550} role="status">
        {t.selected(ids.size)}
      </Text>
      {children}
      <Button size="xs" variant="subtle" color="gray" onClick={() => change(new Set())}>
        {t.select_none}
      </Button>
    </Group>
  );
}
