/** Octets as RFC 2047 §5 (3) allows them even within a display name; a blank is an underscore (§4.2). */
const quoted = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  if (/[A-Za-z0-9!*+/-]/.test(character)) return character;
  return character === ' ' ? '_' : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`;
});

/**
 * RFC 2047 encoded words that together say `text`: each holds whole characters and is at most `longest` columns.
 * Blanks are inside the words, since readers drop those between two of them. In q, or in b where that saves a
 * third: filters distrust base64 for a text that is mostly ASCII.
 */
export function encodeWords(text: string, longest = 75): string[] {
  const room = longest - '=?utf-8?q??='.length;
  const octets = Buffer.from(text);
  const quotedLength = octets.reduce((sum, octet) => sum + (quoted[octet]?.length ?? 0), 0);
  if ((quotedLength * 2) / 3 <= Math.ceil(octets.length / 3) * 4) {
    return packUnits(quoteCharacters(octets), room).map((word) => `=?utf-8?q?${word}?=`);
  }
  const characters = Array.from(octets.toString(), (character) => Buffer.from(character).toString('latin1'));
  const words = packUnits(characters, Math.floor(room / 4) * 3);
  return words.map((word) => `=?utf-8?b?${Buffer.from(word, 'latin1').toString('base64')}?=`);
}

/** Joins units in order into as few texts as possible of at most `room` columns each; a unit is never split. */
export function packUnits(units: string[], room: number): string[] {
  const texts: string[] = [];
  let text = '';
  for (const unit of units) {
    if (text !== '' && text.length + unit.length > room) {
      texts.push(text);
      text = '';
    }
    text += unit;
  }
  if (text !== '') texts.push(text);
  return texts;
}

function quoteCharacters(octets: Buffer): string[] {
  const units: string[] = [];
  for (const octet of octets) {
    const isContinued = (octet & 0xc0) === 0x80;
    if (isContinued) units[units.length - 1] += quoted[octet] ?? '';
    else units.push(quoted[octet] ?? '');
  }
  return units;
}
