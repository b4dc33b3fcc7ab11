import { Box, Button, Group, Stack } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Pagination } from '../api/operations.ts';
import type { ApiProblem } from '../api/problem.ts';
import type { OperationId } from '../api/request.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useMay } from './app/instance.tsx';
import type { Place } from './app/page-link.tsx';
import type { PageName } from './app/places.ts';
import { useUrlState } from './app/url-state.ts';
import { useAdding, type Adding } from './add-button.tsx';
import { ColumnChoice, useChosenColumns } from './column-choice.tsx';
import { DataList, type Column } from './data-list.tsx';
import { EmptyState, type Empty } from './empty-state.tsx';
import { FilterBar, type Filter } from './filter-bar.tsx';
import { PageHeader } from './page-header.tsx';
import { Pager } from './pager.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { SelectionBar, useSelection } from './selection.tsx';

/** With its dialog, which most readers of a list never open. */
const SavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));

interface PageOf<Row> {
  data: Row[];
  /** Of a list that is not read whole. */
  pagination?: Pagination;
}

/** A dialog over the list about one of its rows, which the address names. */
interface Opens<Row> {
  /** The page that the list is on. */
  page: PageName;
  /** What the dialog changes; those who may not do that open nothing. */
  needs?: OperationId;
  /** Reads the row by its id, where it need not be among those that are shown. */
  read?: (id: string) => UseQueryOptions<Row, ApiProblem>;
  dialog: (row: Row, onClose: () => void) => ReactNode;
}

interface ListPageProps<Row, Answer> extends ListBodyProps<Row, Answer> {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** Tabs or a notice between the title and the filters. */
  above?: ReactNode;
  /** What stands below the list. */
  below?: ReactNode;
  /** How one is added. */
  add?: Adding;
}

interface ListBodyProps<Row, Answer> {
  filters?: Filter[];
  /** From `useApi().read`, of an operation that answers in pages. */
  query: UseQueryOptions<Answer, ApiProblem>;
  columns: Column<Row>[];
  idOf: (row: Row) => string | number;
  /** Where a row leads, unless it `opens`. */
  to?: (row: Row) => Place;
  opens?: Opens<Row>;
  /** Shown when there is nothing, whatever the filters. */
  empty?: Empty;
  /** The list's name, where its columns can be chosen and views of it saved. */
  choice?: string;
  /** What can be done with the rows that were chosen. */
  bulk?: ((rows: Row[], onDone: () => void) => ReactNode) | undefined;
}

/** A page that is one list: title, filters, rows, pages. */
export function ListPage<Row, Answer extends PageOf<Row>>(props: ListPageProps<Row, Answer>) {
  const { title, about, actions, above, below, add, empty } = props;
  const adding = useAdding(add, {}, { isOfPage: true });
  return (
    <main>
      <PageHeader
        title={title}
        actions={
          (actions || adding) && (
            <>
              {actions}
              {adding?.button}
            </>
          )
        }
      >
        {about}
      </PageHeader>
      {above}
      <ListBody {...props} label={title} empty={empty && { action: adding?.button, ...empty }} />
      {below && <Box mt="lg">{below}</Box>}
      {adding?.dialog}
    </main>
  );
}

/** The list by itself, where a page has more than one. */
export function ListBody<Row, Answer extends PageOf<Row>>({
  label,
  filters = [],
  query,
  columns,
  idOf,
  to,
  opens,
  empty,
  choice,
  bulk,
}: ListBodyProps<Row, Answer> & { label: string }) {
  const t = useMessages('parts');
  const may = useMay();
  const [state, change] = useUrlState();
  const { page, needs } = opens ?? {};
  const opening = page && (needs === undefined || may(needs)) ? page : undefined;
  const opened = opening && state['open'];
  const { data, error, isPlaceholderData, refetch } = useQuery(query);
  const isFiltered = filters.some(({ name }) => state[name] !== undefined) || state['page'] !== undefined;
  const isEmpty = data?.data.length === 0;
  const chosen = useChosenColumns(choice, columns);
  const selection = useSelection((data?.data ?? []).map((each) => String(idOf(each))));
  const row = data?.data.find((each) => String(idOf(each)) === opened);
  const close = (): void => change({ open: undefined });
  const clear = (): void =>
    change({ page: undefined, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) });
  return (
    <Stack gap="md">
      {filters.length > 0 && !(isEmpty && !isFiltered) && (
        <Group align="flex-start" wrap="nowrap" gap="xs">
          <FilterBar filters={filters} state={state} change={change} />
          {choice !== undefined && (
            <Group gap="xs" wrap="nowrap">
              <Suspense>
                <SavedViews list={choice} state={state} change={change} />
              </Suspense>
              <ColumnChoice columns={columns} {...chosen} />
            </Group>
          )}
        </Group>
      )}
      {bulk && (
        <SelectionBar selection={selection}>
          {bulk(
            (data?.data ?? []).filter((each) => selection.ids.has(String(idOf(each)))),
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
      {isEmpty && !isFiltered && empty && <EmptyState {...empty}>{empty.about}</EmptyState>}
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
          to={opening ? (each) => ({ page: opening, search: { ...state, open: String(idOf(each)) } }) : to}
          isStale={isPlaceholderData}
          selection={bulk && selection}
          sorting={{ sort: state['sort'], onSort: (sort) => change({ sort }) }}
        />
      )}
      {data?.pagination && !isEmpty && (
        <Pager
          pagination={data.pagination}
          onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
        />
      )}
      {opened !== undefined && opens?.read && (
        <Opened key={opened} query={opens.read(opened)} dialog={opens.dialog} onClose={close} />
      )}
      {opened !== undefined && row && !opens?.read && opens?.dialog(row, close)}
    </Stack>
  );
}

/** The row that the address names, wherever in the list it is. */
function Opened<Row>({
  query,
  dialog,
  onClose,
}: Pick<Opens<Row>, 'dialog'> & { query: UseQueryOptions<Row, ApiProblem>; onClose: () => void }) {
  const { data } = useQuery(query);
  return data && dialog(data, onClose);
}
