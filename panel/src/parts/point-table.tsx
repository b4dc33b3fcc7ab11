import { Table } from '@mantine/core';
import { useFormat } from './app/format.ts';
import type { ChartProps } from './chart.tsx';

/** The figures of a chart, to be read one by one. */
export function PointTable({ points, series, label }: ChartProps) {
  const { number } = useFormat();
  return (
    <Table.ScrollContainer minWidth={320} maxHeight={256} scrollAreaProps={{ tabIndex: 0 }}>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{label}</Table.Th>
            {series.map(({ name, label: header }) => (
              <Table.Th key={name} ta="end">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map((point) => (
            <Table.Tr key={point.at}>
              <Table.Td>{point.at}</Table.Td>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="end">
                  {number(Number(point[name] ?? 0))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
