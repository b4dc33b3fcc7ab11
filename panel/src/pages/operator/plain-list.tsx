import { Stack } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api/problem.ts';
import { DataList, type Column } from '../../parts/data-list.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';

/** A list that is read whole. */
export function PlainList<Row, Answer extends { data: Row[] }>({
  label,
  query,
  columns,
  idOf,
  empty,
}: {
  label: string;
  query: UseQueryOptions<Answer, ApiProblem>;
  columns: Column<Row>[];
  idOf: (row: Row) => string;
  empty?: ReactNode;
}) {
  const { data, error } = useQuery(query);
  if (error && !data) return <ProblemAlert problem={error} />;
  return (
    <Stack gap="md">
      {data?.data.length === 0 && empty ? (
        empty
      ) : (
        <DataList label={label} rows={data?.data} columns={columns} idOf={idOf} />
      )}
    </Stack>
  );
}
