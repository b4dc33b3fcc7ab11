import { Kbd, Modal, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PageName } from '../parts/app/places.ts';
import { useMessages } from '../messages/use-messages.ts';
import { jumps } from './jumps.ts';

/** All keys that do something on every page. */
export function ShortcutSheet({
  opened,
  onClose,
  pages,
}: {
  opened: boolean;
  onClose: () => void;
  /** That the person may see. */
  pages: PageName[];
}) {
  const t = useMessages('shell');
  const titles = useMessages('pages');
  const known = Object.entries(jumps).filter(([, page]) => pages.includes(page));
  const rows: [string, ReactNode, string][] = [
    ['find', <Kbd key="k">/</Kbd>, t.find],
    [
      'walk',
      <span key="k">
        <Kbd>j</Kbd> <Kbd>k</Kbd>
      </span>,
      t.walk_rows,
    ],
    ['close', <Kbd key="k">Esc</Kbd>, t.close],
    ...known.map(([key, page]): [string, ReactNode, string] => [
      page,
      <span key="k">
        <Kbd>g</Kbd> <Kbd>{key}</Kbd>
      </span>,
      titles[page],
    ]),
  ];
  return (
    <Modal opened={opened} onClose={onClose} title={t.shortcuts}>
      <Table aria-label={t.shortcuts} verticalSpacing={6}>
        <Table.Tbody>
          {rows.map(([name, keys, does]) => (
            <Table.Tr key={name}>
              <Table.Td w="7rem">{keys}</Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
