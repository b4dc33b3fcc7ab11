/** Enough of a reply to know it by; the log has all of it. */
const maxCharacters = 300;

/**
 * What others wrote, as it is shown: one line, in quotes that it cannot close, and not longer than needed. Control
 * characters and marks that turn the direction of text go, so that it cannot pass for anything but a quotation.
 */
export function quote(text: string): string {
  const line = text
    .slice(0, maxCharacters * 2 + 2)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/["“”«»]/g, "'")
    .trim();
  const characters = Array.from(line);
  return characters.length > maxCharacters
    ? `"${characters.slice(0, maxCharacters).join('')}…"`
    : `"${line}"`;
}
