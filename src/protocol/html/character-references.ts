/** Names that HTML reads with and without their semicolon, U+00A0 to U+00FF in order. */
const latin = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'
).split(' ');

const withoutSemicolon = new Map([
  ...latin.map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...pairs('amp & AMP & lt < LT < gt > GT > quot " QUOT " COPY © REG ®'),
]);
/** Of the two thousand others, those that stand for a character of a URL. */
const withSemicolon = new Map([
  ...withoutSemicolon,
  ...pairs(
    "excl ! num # dollar $ percnt % apos ' lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ;",
  ),
  ...pairs('equals = quest ? commat @ lsqb [ bsol \\ rsqb ] Hat ^ lowbar _ grave ` lcub { verbar | rcub }'),
  ['Tab', '\t'],
  ['NewLine', '\n'],
]);

function pairs(text: string): [string, string][] {
  const words = text.split(' ');
  return words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : []));
}

const reference = /&(?:#[xX]([0-9a-fA-F]+);?|#([0-9]+);?|([a-zA-Z][a-zA-Z0-9]*;?)=?)/g;

/**
 * The value of an attribute as HTML reads it (WHATWG HTML §13.2.5.72). Undefined where that takes a name or a code
 * that is not known here: such a value is not changed, rather than guessed.
 */
export function readAttributeValue(raw: string): string | undefined {
  const text = /[\r\0]/.test(raw) ? raw.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\u{fffd}') : raw;
  if (!text.includes('&')) return text;
  let decoded = '';
  let at = 0;
  for (const match of text.matchAll(reference)) {
    const meaning = meaningOf(match);
    if (meaning === undefined) return undefined;
    decoded += text.slice(at, match.index) + meaning;
    at = match.index + match[0].length;
  }
  return decoded + text.slice(at);
}

function meaningOf([whole, hex, decimal, name]: RegExpExecArray): string | undefined {
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  if (decimal !== undefined) return characterOf(Number(decimal));
  const equals = whole.endsWith('=') ? '=' : '';
  if (name?.endsWith(';')) {
    const known = withSemicolon.get(name.slice(0, -1));
    return known === undefined ? undefined : known + equals;
  }
  // `&copy=1` is what it looks like, a parameter of a URL.
  return equals ? whole : (withoutSemicolon.get(name ?? '') ?? whole);
}

/** Undefined for what HTML replaces by another character: controls of C1, surrogates, NUL, beyond Unicode. */
function characterOf(code: number): string | undefined {
  const isReplaced =
    code === 0 || (code >= 0x80 && code < 0xa0) || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return isReplaced ? undefined : String.fromCodePoint(code);
}

/** Names that texts use beside those above, as far as they are not spelled out by most who write HTML. */
const inText = new Map([
  ...withSemicolon,
  ...pairs(
    'ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ hellip … bull • dagger † Dagger ‡ permil ‰',
  ),
  ...pairs(
    'lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ minus − infin ∞ asymp ≈ ne ≠ le ≤ ge ≥',
  ),
  ...pairs(
    'OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ prime ′ Prime ″ check ✓ star ☆ starf ★ hearts ♥',
  ),
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['zwnj', ''],
  ['zwj', ''],
  ['lrm', ''],
  ['rlm', ''],
]);

/** Text with its references read; those that are not known stay as they are written. */
export function decodeText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(reference, (whole, ...[hex, decimal, name]: (string | undefined)[]) => {
    if (name === undefined)
      return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? '';
    const isWhole = name.endsWith(';');
    const known = isWhole ? inText.get(name.slice(0, -1)) : withoutSemicolon.get(name);
    return known === undefined ? whole : known + (whole.endsWith('=') ? '=' : '');
  });
}
