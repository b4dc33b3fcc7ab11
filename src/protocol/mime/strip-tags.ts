/** What stands between these is not shown. */
const hidden = /^(?:style|script|head|title|template)$/i;
const inline = /^(?:a|abbr|b|big|code|em|font|i|mark|s|small|span|strong|sub|sup|u)$/i;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * HTML without its tags, one line per block. It takes time in proportion to its input whatever that is, and its
 * result is never longer.
 */
export function stripTags(html: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    pieces.push(html.slice(at, open === -1 ? html.length : open));
    if (open === -1) break;
    const { end, shows } = readMarkup(html, open);
    pieces.push(shows);
    if (end === -1) break;
    at = end;
  }
  return tidy(decodeEntities(pieces.join('')));
}

/** Where the markup that begins here ends, -1 when it never does, and what is seen of it. */
function readMarkup(html: string, open: number): { end: number; shows: string } {
  const [, slash, name, isDeclaration] =
    /^<(?:(\/?)([a-z][a-z0-9]*)|([!?]))/i.exec(html.slice(open, open + 20)) ?? [];
  if (html.startsWith('<!--', open)) return { end: after(html, '-->', open + 4), shows: '' };
  if (isDeclaration !== undefined) return { end: after(html, '>', open), shows: '' };
  if (name === undefined) return { end: open + 1, shows: '<' };
  const end = after(html, '>', open);
  if (slash === '' && end !== -1 && hidden.test(name)) {
    const closing = new RegExp(`</${name}`, 'gi');
    closing.lastIndex = end;
    return { end: closing.test(html) ? after(html, '>', closing.lastIndex) : -1, shows: '\n' };
  }
  return { end, shows: inline.test(name) ? '' : '\n' };
}

function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found === -1 ? -1 : found + text.length;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp);/gi, (entity) => {
    const name = entity.slice(1, -1).toLowerCase();
    if (!name.startsWith('#')) return entities[name] ?? entity;
    const point = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
    const isCharacter = point >= 0x20 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : ' ';
  });
}

function tidy(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
}
