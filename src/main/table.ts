type Cell = string | number | Date | null | undefined;
export type Columns<Row> = Record<string, (row: Row) => Cell>;

/** Rows for people, below the names of the columns. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const lines = [
    Object.keys(columns).map((name) => name.toUpperCase()),
    ...rows.map((row) => Object.values(columns).map((cell) => textOf(cell(row)))),
  ];
  const widths = Object.keys(columns).map((_name, index) =>
    Math.max(...lines.map((cells) => cells[index]?.length ?? 0)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function textOf(cell: Cell): string {
  if (cell instanceof Date) return cell.toISOString();
  return printable(String(cell ?? '')).replaceAll(/\s+/g, ' ');
}

/** Strangers wrote it: what a terminal would take for an order becomes visible instead. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\r\t]]/gv, '\u{fffd}');
}
