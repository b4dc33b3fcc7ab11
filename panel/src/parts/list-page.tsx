import { Button, Group, Stack } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Pagination } from '../api/operations.ts';
import type { ApiProblem } from '../api/problem.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useUrlState } from './app/url-state.ts';
import type { Place } from './app/page-link.tsx';
import { ColumnChoice, useChosenColumns } from './column-choice.tsx';
import { DataList, type Column } from './data-list.tsx';
import { EmptyState } from './empty-state.tsx';
import { FilterBar, type Filter } from './filter-bar.tsx';
import { PageHeader } from './page-header.tsx';
import { Pager } from './pager.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { SelectionBar, useSelection } from './selection.tsx';

interface PageOf<Row> {
  data: Row[];
  pagination: Pagination;
}

interface ListPageProps<Row> {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** Tabs or a notice between the title and the filters. */
  above?: ReactNode;
  filters?: Filter[];
  /** From `useApi().read`, of an operation that answers in pages. */
  query: UseQueryOptions<PageOf<Row>, ApiProblem>;
  columns: Column<Row>[];
  idOf: (row: Row) => string | number;
  to?: (row: Row) => Place;
  /** Shown when there is nothing, whatever the filters. */
  empty: ReactNode;
  /** The list's name, where its columns can be chosen. */
  choice?: string;
  /** What can be done with the rows that were chosen. */
  bulk?: ((rows: Row[], onDone: () => void) => ReactNode) | undefined;
}

/** A page that is one list: title, filters, rows, pages. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, about, actions, above } = props;
  return (
    <main>
      <PageHeader title={title} actions={actions}>
        {about}
      </PageHeader>
      {above}
      <ListBody {...props} label={title} />
    </main>
  );
}

/** The list by itself, where a page has more than one. */
export function ListBody<Row>({
  label,
  filters = [],
  query,
  columns,
  idOf,
  to,
  empty,
  choice,
  bulk,
}: Pick<ListPageProps<Row>, 'filters' | 'query' | 'columns' | 'idOf' | 'to' | 'empty' | 'choice' | 'bulk'> & {
  label: string;
}) {
  const t = useMessages('parts');
  const [state, change] = useUrlState();
  const { data, error, isPlaceholderData, refetch } = useQuery(query);
  const isFiltered = filters.some(({ name }) => state[name] !== undefined) || state['page'] !== undefined;
  const isEmpty = data?.data.length === 0;
  const chosen = useChosenColumns(choice, columns);
  const selection = useSelection((data?.data ?? []).map((row) => String(idOf(row))));
  const clear = (): void =>
    change({ page: undefined, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) });
  return (
    <Stack gap="md">
      {filters.length > 0 && !(isEmpty && !isFiltered) && (
        <Group align="flex-start" wrap="nowrap" gap="xs">
          <FilterBar filters={filters} state={state} change={change} />
          {choice !== undefined && <ColumnChoice columns={columns} {...chosen} />}
        </Group>
      )}
      {bulk && (
        <SelectionBar selection={selection}>
          {bulk(
            (data?.data ?? []).filter((row) => selection.ids.has(String(idOf(row)))),
            () => selection.change(new Set()),
          )}
        </SelectionBar>
      )}
      {error && (
        <div>
          <ProblemAlert problem={error} />
          <Button variant="default" mt="sm" onClick={() => void refetch()}>
            {t.retry}
          </Button>
        </div>
      )}
      {isEmpty && !isFiltered && empty}
      {isEmpty && isFiltered && (
        <EmptyState
          icon={IconFilterOff}
          title={t.no_match}
          action={
            <Button variant="default" onClick={clear}>
              {t.clear}
            </Button>
          }
        >
          {t.no_match_help}
        </EmptyState>
      )}
      {!isEmpty && !(error && !data) && (
        <DataList
          label={label}
          rows={data?.data}
          columns={chosen.shown}
          idOf={idOf}
          to={to}
          isStale={isPlaceholderData}
          selection={bulk && selection}
        />
      )}
      {data && !isEmpty && (
        <Pager
          pagination={data.pagination}
          onPage={(page) => change({ page: page === 1 ? undefined : String(page) })}
        />
      )}
    </Stack>
  );
}
