/** Replaces what PostgreSQL refuses in text: NUL and lone surrogates. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

/** The same, trimmed and truncated to a number of characters; null when empty. */
export function boundedText(text: string | null | undefined, max_length: number): string | null {
  // The database counts code points, and a surrogate pair must not be split.
  const whole = storableText(text ?? '').trim();
  const characters = Array.from(whole.slice(0, max_length * 2)).slice(0, max_length);
  return characters.join('').toWellFormed().trim() || null;
}
