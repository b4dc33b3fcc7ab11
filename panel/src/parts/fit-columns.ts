/** What a column asks for, in rem. */
export interface ColumnSize {
  header: string;
  /** Never narrower, so that a usual value stays readable: a name or an address unless said. */
  min?: number | undefined;
  /** Its share of the room that is left; columns without a width of their own have one. */
  grow?: number | undefined;
  /** Leaves a narrow list: 3 first, then 2, then 1; without one it stays. */
  rank?: number | undefined;
  /** Its cell is the link of the row, with what has no column of its own below it: the first unless said. */
  leads?: boolean | undefined;
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
/** However short all values are. */
const smallest = 4;

/** To which one long value widens its column at most. */
const widest = 32;

/** How wide the values of a column are, in rem with the padding; undefined where they have not been measured. */
export type ContentOf<Column> = (column: Column) => number | undefined;

const leastOf = ({ header, min = usual }: ColumnSize, content = Infinity): number =>
  Math.min(
    Math.max(min, Math.min(header.length * letter, longestHeader) + padding),
    Math.max(content, smallest),
  );
export const leadingOf = <Column extends ColumnSize>(columns: Column[]): Column | undefined =>
  columns.find(({ leads }) => leads) ?? columns[0];
const shareOf = ({ min, grow }: ColumnSize): number => grow ?? (min === undefined ? usualShare : 0);

/**
 * The columns that a list of this width has room for, and how wide each is: never wider than it needs while another is
 * cut. The leading column keeps its width for a usual value, for the sake of what stands below it.
 */
export function fitColumns<Column extends ColumnSize>(
  columns: Column[],
  room: number,
  contentOf: ContentOf<Column> = () => undefined,
): Fitted<Column> {
  if (room === 0) return { shown: columns.map((column) => ({ column, width: 0 })), left_out: [] };
  const shown = [...columns];
  const leading = leadingOf(columns);
  const least = (column: Column): number =>
    leastOf(column, column === leading ? undefined : contentOf(column));
  const needed = (): number => shown.reduce((sum, column) => sum + least(column), 0);
  while (needed() > room) {
    const rank = Math.max(...shown.map((column) => column.rank ?? 0));
    if (rank === 0) break;
    const at = shown.findLastIndex((column) => (column.rank ?? 0) === rank);
    shown.splice(at, 1);
  }
  // A phone has no room for all that stays: the name of the row is cut before a state is.
  const over = Math.max(0, needed() - room);
  const longest = Math.max(...shown.map(least));
  const cut = shown.findIndex((column) => least(column) === longest);
  const given = giveRoom(
    shown.map((column) => ({
      share: shareOf(column),
      wanted: Math.max(0, Math.min(contentOf(column) ?? 0, widest) - least(column)),
    })),
    Math.max(0, room - needed()),
  );
  return {
    shown: shown.map((column, index) => ({
      column,
      width:
        least(column) +
        (given[index] ?? 0) -
        (index === cut ? Math.min(over, Math.max(0, longest - narrowest)) : 0),
    })),
    left_out: columns.filter((column) => !shown.includes(column)),
  };
}

interface Claim {
  /** Of what is left when every column has what it wants. */
  share: number;
  /** More than it has, to show its values whole. */
  wanted: number;
}

/** First to columns without a share, whose values are short; then to the others by their shares, to none more than it wants. */
function giveRoom(claims: Claim[], room: number): number[] {
  const given = claims.map(() => 0);
  let rest = room;
  const give = (index: number, amount: number): void => {
    given[index] = (given[index] ?? 0) + amount;
    rest -= amount;
  };
  for (const [index, { share, wanted }] of claims.entries())
    if (share === 0) give(index, Math.min(wanted, rest));
  for (;;) {
    const open = claims
      .map(({ share, wanted }, index) => ({ index, share, lacks: wanted - (given[index] ?? 0) }))
      .filter(({ share, lacks }) => share > 0 && lacks > 0);
    if (open.length === 0) break;
    const unit = rest / open.reduce((sum, { share }) => sum + share, 0);
    const first = open.toSorted((a, b) => a.lacks / a.share - b.lacks / b.share)[0];
    if (first === undefined || first.lacks / first.share > unit) {
      for (const { index, share } of open) give(index, unit * share);
      return given;
    }
    give(first.index, first.lacks);
  }
  const shares = claims.reduce((sum, { share }) => sum + share, 0);
  const left = rest;
  for (const [index, { share }] of claims.entries())
    give(index, left * (shares === 0 ? Number(index === 0) : share / shares));
  return given;
}
