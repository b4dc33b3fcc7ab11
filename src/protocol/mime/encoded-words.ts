/**
 * RFC 2047 encoded words that together say `text`: each holds whole characters and is at most `longest` columns,
 * in q or b, whichever is shorter. Blanks are inside the words, since readers drop those between two of them.
 */
export function encodeWords(text: string, longest = 75): string[] {
  const characters = Array.from(text.toWellFormed());
  const room = longest - '=?utf-8?q??='.length;
  const quoted = characters.map(quoteCharacter);
  if (quoted.join('').length <= Math.ceil(Buffer.byteLength(text) / 3) * 4) {
    return packUnits(quoted, room).map((word) => `=?utf-8?q?${word}?=`);
  }
  const words = packUnits(characters, Math.floor(room / 4) * 3);
  return words.map((word) => `=?utf-8?b?${Buffer.from(word).toString('base64')}?=`);
}

/** Joins units in order into as few texts as possible of at most `room` octets each; a unit is never split. */
export function packUnits(units: string[], room: number): string[] {
  const texts: string[] = [];
  let text = '';
  let used = 0;
  for (const unit of units) {
    const size = Buffer.byteLength(unit);
    if (used > 0 && used + size > room) {
      texts.push(text);
      text = '';
      used = 0;
    }
    text += unit;
    used += size;
  }
  if (used > 0) texts.push(text);
  return texts;
}

/** The characters RFC 2047 §5 (3) leaves plain even within a display name; a blank is an underscore (§4.2). */
function quoteCharacter(character: string): string {
  if (/^[A-Za-z0-9!*+/-]$/.test(character)) return character;
  return character === ' '
    ? '_'
    : Buffer.from(character).toString('hex').toUpperCase().replaceAll(/../g, '=$&');
}
