import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import type { Column } from './data-list.tsx';

const keyOf = (list: string): string => `chasqui-columns-${list}`;

/** Which columns a person wants: true and false were chosen, all others are as the list has them. */
type Chosen = Record<string, boolean>;

function readChosen(list: string): Chosen {
  try {
    return JSON.parse(localStorage.getItem(keyOf(list)) ?? '{}') as Chosen;
  } catch {
    return {};
  }
}

/** The columns of a list as this browser's person chose them. One that was chosen leaves a narrow list last. */
export function useChosenColumns<Row>(list: string | undefined, columns: Column<Row>[]) {
  const [chosen, set] = useState<Chosen>(() => (list === undefined ? {} : readChosen(list)));
  const isShown = ({ name, isExtra = false }: Column<Row>): boolean => chosen[name] ?? !isExtra;
  const choose = (name: string, wanted: boolean): void => {
    const next = { ...chosen, [name]: wanted };
    set(next);
    if (list !== undefined) localStorage.setItem(keyOf(list), JSON.stringify(next));
  };
  const shown = columns
    .filter(isShown)
    .map((column) => (chosen[column.name] && column.rank ? { ...column, rank: 1 } : column));
  return { shown, isShown, choose };
}

export function ColumnChoice<Row>({
  columns,
  isShown,
  choose,
}: {
  columns: Column<Row>[];
  isShown: (column: Column<Row>) => boolean;
  choose: (name: string, wanted: boolean) => void;
}) {
  const t = useMessages('parts');
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t.columns}>
          <IconColumns3 size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.columns}</Menu.Label>
        {columns.map((column) =>
          // What never leaves a list is what its rows are known by.
          column.rank === undefined ? null : (
            <Menu.Item
              key={column.name}
              role="menuitemcheckbox"
              aria-checked={isShown(column)}
              leftSection={isShown(column) ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
              onClick={() => choose(column.name, !isShown(column))}
            >
              {column.header}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
