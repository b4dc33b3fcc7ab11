import { diffArrays } from 'diff';

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

/** Beyond these the work would be seen; everything then counts as replaced. */
const maxLineEdits = 1_000;
const maxWordEdits = 600;

/** Two texts side by side: lines by lines, and the words of lines that took the place of others. */
export function compareTexts(before: string, after: string): ComparedLine[] {
  const compared: ComparedLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let n = 0; n < Math.max(removed.length, added.length); n += 1) {
      compared.push(compareLine(removed[n], added[n]));
    }
    [removed, added] = [[], []];
  };
  for (const { kind, parts } of edits(linesOf(before), linesOf(after), maxLineEdits)) {
    if (kind === 'removed') removed = [...removed, ...parts];
    else if (kind === 'added') added = [...added, ...parts];
    else {
      flush();
      for (const text of parts) {
        compared.push({ before: [{ kind, text }], after: [{ kind, text }], is_same: true });
      }
    }
  }
  flush();
  return compared;
}

function compareLine(before: string | undefined, after: string | undefined): ComparedLine {
  if (before === undefined) return { after: [{ kind: 'added', text: after ?? '' }], is_same: false };
  if (after === undefined) return { before: [{ kind: 'removed', text: before }], is_same: false };
  const words = edits(wordsOf(before), wordsOf(after), maxWordEdits);
  const pieces = words.map(({ kind, parts }) => ({ kind, text: parts.join('') }));
  return {
    before: pieces.filter(({ kind }) => kind !== 'added'),
    after: pieces.filter(({ kind }) => kind !== 'removed'),
    is_same: false,
  };
}

const linesOf = (text: string): string[] => text.replaceAll('\r\n', '\n').split('\n');
/** Each with the blanks after it. */
const wordsOf = (line: string): string[] => line.match(/\S+\s*|\s+/g) ?? [];

interface Edit {
  kind: Piece['kind'];
  parts: string[];
}

/** As few edits as can be. What was removed stands before what took its place. */
function edits(before: string[], after: string[], maxEditLength: number): Edit[] {
  const changes = diffArrays(before, after, { maxEditLength }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return changes.map(({ value, removed, added }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    parts: value,
  }));
}
