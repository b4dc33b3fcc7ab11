/** Longer than any name there is: what cannot be near one is not compared. */
const max_compared = 64;

/** The known name that takes the fewest edits to become the given one, in either case and whatever joins its words. */
export function nearestName(given: string, known: string[]): string | undefined {
  if (given.length > max_compared) return undefined;
  const distances = known.map((name) => ({ name, edits: editDistance(bare(given), bare(name)) }));
  return distances.toSorted((a, b) => a.edits - b.edits)[0]?.name;
}

/** `customMsgId` and `custom-msg-id` are `custom_msg_id`. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Levenshtein, row by row. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of a.split('').entries()) {
    const current = [row + 1];
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (above[column] ?? 0) + (letter === b[column] ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
