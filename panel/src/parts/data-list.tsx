import { Skeleton, Table, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useInstance } from './app/instance.tsx';
import { linkTo, type Place } from './app/page-link.tsx';
import { fitColumns, leadingOf, type ColumnSize } from './fit-columns.ts';
import styles from './parts.module.css';
import { SelectAll, SelectRow, type Selection } from './selection.tsx';
import { directionOf, SortHeader, type ColumnSort, type Sorting } from './sort-header.tsx';
import { useContentWidths } from './use-content-widths.ts';
import { useListKeys } from './use-list-keys.ts';
import { useRoom } from './use-room.ts';

export interface Column<Row> extends ColumnSize {
  name: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Below the name of the row it follows its header: a number says nothing by itself. */
  isNumber?: boolean;
  /** Shown only to those who chose it. */
  isExtra?: boolean;
  /** Its header sorts the list. */
  sort?: ColumnSort;
}

export interface DataListProps<Row> {
  label: string;
  rows: Row[] | undefined;
  columns: Column<Row>[];
  idOf: (row: Row) => string | number;
  /** Where a row leads. */
  to?: ((row: Row) => Place) | undefined;
  /** Old rows, while new ones load. */
  isStale?: boolean;
  selection?: Selection | undefined;
  sorting?: Sorting | undefined;
}

const skeletons = Array.from({ length: 8 }, (_each, index) => index);
/** Of the boxes that select rows. */
const boxRem = 2.75;

/**
 * Rows of one kind. j and k go through those that lead somewhere. What a narrow list has no room for stands below the name
 * of its row, the rest is left to the page of the row.
 */
export function DataList<Row>({
  label,
  rows,
  columns,
  idOf,
  to,
  isStale = false,
  selection,
  sorting,
}: DataListProps<Row>) {
  const keys = useListKeys();
  const { ref, room } = useRoom();
  const leading = leadingOf(columns);
  const content = useContentWidths(ref, { rows, room, columns: columns.map(({ name }) => name).join() });
  const space = Math.max(0, room - (selection ? boxRem : 0));
  const { shown, left_out } = fitColumns(columns, space, ({ name }) => content.get(name));
  const below = left_out.filter(({ rank }) => rank === 1);
  return (
    <div className={styles['tableBox']} data-stale={isStale || undefined} ref={ref}>
      <Table
        className={styles['table']}
        layout="fixed"
        aria-label={label}
        aria-busy={rows === undefined || isStale}
      >
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={`${boxRem}rem`}>
                <SelectAll selection={selection} ids={(rows ?? []).map((row) => String(idOf(row)))} />
              </Table.Th>
            )}
            {shown.map(({ column: { name, header, align, sort }, width }) => (
              <Table.Th
                key={name}
                data-align={align}
                data-column={name}
                {...(width > 0 ? { w: `${width}rem` } : {})}
                aria-sort={sort && sorting && directionOf(sort, sorting.sort)}
              >
                {sort && sorting ? <SortHeader header={header} of={sort} sorting={sorting} /> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={keys}>
          {rows === undefined
            ? skeletons.map((row) => (
                <Table.Tr key={row}>
                  {selection && <Table.Td />}
                  {shown.map(({ column: { name } }, index) => (
                    <Table.Td key={name}>
                      <Skeleton height={12} my={5} width={`${85 - ((row * 13 + index * 29) % 45)}%`} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : rows.map((row) => (
                <Table.Tr
                  key={idOf(row)}
                  data-leads={to !== undefined || undefined}
                  data-selected={selection?.ids.has(String(idOf(row))) || undefined}
                >
                  {selection && (
                    <Table.Td>
                      <SelectRow selection={selection} id={String(idOf(row))} />
                    </Table.Td>
                  )}
                  {shown.map(({ column: { name, cell, align } }) => (
                    <Table.Td key={name} data-align={align}>
                      {to && name === leading?.name ? (
                        <RowLink place={to(row)}>{cell(row)}</RowLink>
                      ) : (
                        cell(row)
                      )}
                      {name === leading?.name && <Below row={row} columns={below} />}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** What belongs to a row and has no column of its own. */
function Below<Row>({ row, columns }: { row: Row; columns: Column<Row>[] }) {
  const cells = columns.map(({ name, header, isNumber, cell }) => ({
    name,
    label: `${header}: `,
    isNumber,
    shown: cell(row),
  }));
  const filled = cells.filter(
    ({ shown }) => shown !== '' && shown !== null && shown !== undefined && shown !== '—',
  );
  if (filled.length === 0) return null;
  return (
    <div className={styles['below']}>
      {filled.map(({ name, label, isNumber, shown }) => (
        <span key={name}>
          {isNumber ? label : <VisuallyHidden component="span">{label}</VisuallyHidden>}
          {shown}
        </span>
      ))}
    </div>
  );
}

/** Covers its row, so that all of it can be clicked. */
function RowLink({ place, children }: { place: Place; children: ReactNode }) {
  const { slug } = useInstance();
  return (
    <Link {...linkTo(slug, place)} className={styles['rowLink']} data-row-link>
      {children}
    </Link>
  );
}

/** A text that gives way to the badge after it. */
export function Marked({ children, badge }: { children: string; badge: ReactNode }) {
  return (
    <span className={styles['marked']}>
      <span>{children}</span>
      {badge}
    </span>
  );
}
