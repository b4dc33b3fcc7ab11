import { Table, Text } from '@mantine/core';
import type { BroadcastLeftOut } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';

/** Who gets no mail, counted by reason. */
export function LeftOut({
  title,
  rows,
  nobody,
}: {
  title: string;
  rows: BroadcastLeftOut[];
  nobody?: string;
}) {
  const t = useMessages('broadcast');
  const words: Record<string, string | undefined> = { ...useMessages('reasons'), ...t.reasons };
  const { number } = useFormat();
  if (rows.length === 0) return nobody ? <Text size="sm">{nobody}</Text> : null;
  return (
    <Table aria-label={title} verticalSpacing={6} horizontalSpacing={0}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th ta="end">{number(rows.reduce((sum, { count }) => sum + count, 0))}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ reason, count }) => (
          <Table.Tr key={reason}>
            <Table.Td>{words[reason] ?? reason}</Table.Td>
            <Table.Td ta="end">{number(count)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
