/** Text that others have a say in, as PostgreSQL takes it: without NUL and without half a surrogate pair. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

/** The same, trimmed and cut to a number of characters; null when nothing is left. */
export function boundedText(text: string | null | undefined, max_length: number): string | null {
  // The database counts code points, and a pair must not be cut in half.
  const whole = storableText(text ?? '').trim();
  const characters = Array.from(whole.slice(0, max_length * 2)).slice(0, max_length);
  return characters.join('').toWellFormed().trim() || null;
}
