/** What a column asks for, in rem. */
export interface ColumnSize {
  header: string;
  /** Never narrower, so that a usual value stays readable: a name or an address unless said. */
  min?: number | undefined;
  /** Its share of the room that is left; columns without a width of their own have one. */
  grow?: number | undefined;
  /** Leaves a narrow list: 3 first, then 2, then 1; without one it stays. */
  rank?: number | undefined;
}

export interface Fitted<Column> {
  /** With the width in rem, 0 where the list has not been measured. */
  shown: { column: Column; width: number }[];
  left_out: Column[];
}

/** Of both sides of a cell. */
const padding = 1.5;
/** Headers are 0.75 rem high; the widest of Latin letters in that size is 0.7 rem, most are 0.42. */
const letter = 0.44;

/** Fields of tenants may have any name. */
const longestHeader = 12;
/** An address of 26 letters. */
const usual = 14;
const usualShare = 3;
/** To which the widest column shrinks where nothing else can leave. */
const narrowest = 8;

const leastOf = ({ header, min = usual }: ColumnSize): number =>
  Math.max(min, Math.min(header.length * letter, longestHeader) + padding);
const shareOf = ({ min, grow }: ColumnSize): number => grow ?? (min === undefined ? usualShare : 0);

/** The columns that a list of this width has room for, and how wide each is. */
export function fitColumns<Column extends ColumnSize>(columns: Column[], room: number): Fitted<Column> {
  if (room === 0) return { shown: columns.map((column) => ({ column, width: 0 })), left_out: [] };
  const shown = [...columns];
  const left_out: Column[] = [];
  const needed = (): number => shown.reduce((sum, column) => sum + leastOf(column), 0);
  while (needed() > room) {
    const rank = Math.max(...shown.map((column) => column.rank ?? 0));
    if (rank === 0) break;
    const at = shown.findLastIndex((column) => (column.rank ?? 0) === rank);
    left_out.unshift(...shown.splice(at, 1));
  }
  const rest = Math.max(0, room - needed());
  // A phone has no room for all that stays: the name of the row is cut before a state is.
  const over = Math.max(0, needed() - room);
  const widest = Math.max(...shown.map(leastOf));
  const cut = shown.findIndex((column) => leastOf(column) === widest);
  const shares = shown.reduce((sum, column) => sum + shareOf(column), 0);
  return {
    shown: shown.map((column, index) => ({
      column,
      width:
        leastOf(column) +
        rest * (shares === 0 ? Number(index === 0) : shareOf(column) / shares) -
        (index === cut ? Math.min(over, Math.max(0, widest - narrowest)) : 0),
    })),
    // In the order of the list.
    left_out: columns.filter((column) => left_out.includes(column)),
  };
}
