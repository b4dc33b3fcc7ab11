import { Skeleton, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useInstance } from '../shell/instance.tsx';
import { linkTo, type Place } from '../shell/page-link.tsx';
import styles from './parts.module.css';
import { useListKeys } from './use-list-keys.ts';

export interface Column<Row> {
  name: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** CSS width; the columns without one share what is left. */
  width?: string;
  align?: 'end';
  /** Left out where the list is narrower: 36, 52 or 68 rem. */
  from?: 'sm' | 'md' | 'lg';
  /** Its cell is the link of the row; that of the first column unless another says so. */
  leads?: boolean;
}

interface DataListProps<Row> {
  label: string;
  rows: Row[] | undefined;
  columns: Column<Row>[];
  idOf: (row: Row) => string | number;
  /** Where a row leads. */
  to?: (row: Row) => Place;
  /** Old rows, while new ones load. */
  isStale?: boolean;
}

const skeletons = Array.from({ length: 8 }, (_each, index) => index);

/** Rows of one kind. j and k go through those that lead somewhere. */
export function DataList<Row>({ label, rows, columns, idOf, to, isStale = false }: DataListProps<Row>) {
  const keys = useListKeys();
  const leading = columns.find(({ leads }) => leads) ?? columns[0];
  return (
    <div className={styles['tableBox']} data-stale={isStale || undefined}>
      <Table
        className={styles['table']}
        layout="fixed"
        aria-label={label}
        aria-busy={rows === undefined || isStale}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, header, width, align, from }) => (
              <Table.Th key={name} w={width} data-align={align} data-from={from}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={keys}>
          {rows === undefined
            ? skeletons.map((row) => (
                <Table.Tr key={row}>
                  {columns.map(({ name, from }, index) => (
                    <Table.Td key={name} data-from={from}>
                      <Skeleton height={12} my={5} width={`${85 - ((row * 13 + index * 29) % 45)}%`} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : rows.map((row) => (
                <Table.Tr key={idOf(row)} data-leads={to !== undefined || undefined}>
                  {columns.map(({ name, cell, align, from }) => (
                    <Table.Td key={name} data-align={align} data-from={from}>
                      {to && name === leading?.name ? (
                        <RowLink place={to(row)}>{cell(row)}</RowLink>
                      ) : (
                        cell(row)
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
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
