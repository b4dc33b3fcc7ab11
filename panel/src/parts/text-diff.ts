export interface Piece {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** One paragraph on both sides; a side that does not have it is undefined. */
export interface ComparedLine {
  before?: Piece[];
  after?: Piece[];
  is_same: boolean;
}

/** Beyond these the work would be seen; what is left then counts as replaced. */
const max_line_edits = 1_000;
const max_word_edits = 600;

/** Two texts side by side: lines by lines, and the words of lines that took the place of others. */
export function compareTexts(before: string, after: string): ComparedLine[] {
  const lines = edits(linesOf(before), linesOf(after), max_line_edits);
  const compared: ComparedLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let n = 0; n < Math.max(removed.length, added.length); n += 1) {
      compared.push(compareLine(removed[n], added[n]));
    }
    [removed, added] = [[], []];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      compared.push({ before: [{ kind, text }], after: [{ kind, text }], is_same: true });
    }
  }
  flush();
  return compared;
}

function compareLine(before: string | undefined, after: string | undefined): ComparedLine {
  if (before === undefined) return { after: [{ kind: 'added', text: after ?? '' }], is_same: false };
  if (after === undefined) return { before: [{ kind: 'removed', text: before }], is_same: false };
  const pieces = joined(edits(wordsOf(before), wordsOf(after), max_word_edits));
  return {
    before: pieces.filter(({ kind }) => kind !== 'added'),
    after: pieces.filter(({ kind }) => kind !== 'removed'),
    is_same: false,
  };
}

const linesOf = (text: string): string[] => text.replaceAll('\r\n', '\n').split('\n');
/** Each with the blanks after it. */
const wordsOf = (line: string): string[] => line.match(/\S+\s*|\s+/g) ?? [];

/** Neighbours of one kind as one piece. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}

interface Step {
  round: number;
  diagonal: number;
  /** Index of diagonal 0. */
  origin: number;
}

/** A shortest edit script (Myers 1986, "An O(ND) difference algorithm and its variations"). */
function edits(before: string[], after: string[], max: number): Piece[] {
  const most = Math.min(max, before.length + after.length);
  const origin = most + 1;
  /** How far each diagonal leads into `before`. */
  const reached = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let round = 0; round <= most; round += 1) {
    rounds.push(reached.slice(origin - round - 1, origin + round + 2));
    for (let diagonal = -round; diagonal <= round; diagonal += 2) {
      let { x } = entered(reached, { round, diagonal, origin });
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reached[origin + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return walkBack(before, after, rounds);
    }
  }
  return [
    ...before.map((text) => ({ kind: 'removed' as const, text })),
    ...after.map((text) => ({ kind: 'added' as const, text })),
  ];
}

/** Where a diagonal is entered: from the one above by an addition, from the one below by a removal. */
function entered(
  reached: Int32Array,
  { round, diagonal, origin }: Step,
): { x: number; kind: 'added' | 'removed' } {
  const above = reached[origin + diagonal + 1] ?? 0;
  const below = reached[origin + diagonal - 1] ?? 0;
  const isAdded = diagonal === -round || (diagonal !== round && below < above);
  return isAdded ? { x: above, kind: 'added' } : { x: below + 1, kind: 'removed' };
}

function walkBack(before: string[], after: string[], rounds: Int32Array[]): Piece[] {
  const pieces: Piece[] = [];
  let [x, y] = [before.length, after.length];
  const takeSame = (until: number): void => {
    for (; x > until; y -= 1) pieces.push({ kind: 'same', text: before[(x -= 1)] ?? '' });
  };
  for (const [round, reached] of [...rounds.entries()].slice(1).toReversed()) {
    const { x: start, kind } = entered(reached, { round, diagonal: x - y, origin: round + 1 });
    takeSame(start);
    const text = kind === 'added' ? after[(y -= 1)] : before[(x -= 1)];
    pieces.push({ kind, text: text ?? '' });
  }
  takeSame(0);
  return pieces.toReversed();
}
