import { encodeWords } from './encoded-words.ts';
import { isHeaderName, requireHeaderText } from './header-text.ts';

/** RFC 5322 §2.1.1: a line should have 78 columns and must not have more than 998. */
const preferredLine = 78;
const longestLine = 998;
/** RFC 2047 §2: lines with an encoded word are stricter. */
const encodedLine = 76;
const outsideAscii = /[^\t\x20-\x7e]/;

/**
 * A header of free text as lines ending in CRLF. ASCII stays as it is, so that a structured value or one that is
 * already encoded keeps its meaning; the words from the first to the last outside ASCII are encoded (RFC 2047), and
 * the whole of a value that no folding brings within 998 columns.
 */
export function foldHeader(name: string, value: string): string {
  return foldText(name, value, { encodable: outsideAscii });
}

/** RFC 2047 §5: fields of a grammar of their own, in which an encoded word would be no more than its letters. */
const structured =
  /^(in-reply-to|references|original-message-id|auto-submitted|authentication-results|feedback-id|(list|resent|arc)-.+)$/i;

/**
 * A header that a customer gave (contract §6): folded, and a word that no line of 78 columns can hold is encoded, which is
 * all that can be done about it. Structured fields keep such a word as it is.
 */
export function foldCustomHeader(name: string, value: string): string {
  if (structured.test(name)) return foldHeader(name, value);
  return foldText(name, value, { encodable: outsideAscii, max_word_length: preferredLine });
}

/** The same for text meant for human eyes: what merely looks like an encoded word is shown as it was written. */
export function foldDisplayText(name: string, value: string): string {
  return foldText(name, value, { encodable: /[^\t\x20-\x7e]|=\?/ });
}

/**
 * A header from tokens that begin with the blanks before them; folds before tokens only. The first one stays beside
 * the name, since readers exist that take an empty first line for an empty value, unless it is an encoded word.
 */
export function foldTokens(name: string, tokens: string[], limit = preferredLine): string {
  let folded = `${name}:`;
  let column = folded.length;
  tokens.forEach((token, index) => {
    if (column + token.length > limit && (index > 0 || token.startsWith(' =?'))) {
      folded += '\r\n';
      column = 0;
    }
    folded += token;
    column += token.length;
  });
  return `${folded}\r\n`;
}

interface Rules {
  /** What of a word makes it one to encode. */
  encodable: RegExp;
  /** With the blanks before it; a longer one is encoded. */
  max_word_length?: number;
}

function foldText(name: string, value: string, { encodable, max_word_length = longestLine }: Rules): string {
  if (!isHeaderName(name)) throw new TypeError('header name with a character that names cannot have');
  const text = requireHeaderText(name, value).replaceAll(/^[ \t]+|[ \t]+$/g, '');
  const words = ` ${text}`.match(/[ \t]*[^ \t]+/g) ?? [];
  const isUnfoldable = words.some(
    (word, index) => word.length + (index === 0 ? name.length + 1 : 0) > longestLine,
  );
  const isEncoded = (word: string): boolean => word.length > max_word_length || encodable.test(word);
  const first = isUnfoldable ? 0 : words.findIndex(isEncoded);
  if (first === -1) return foldTokens(name, words);
  const last = isUnfoldable ? words.length - 1 : words.findLastIndex(isEncoded);
  const tokens = words.toSpliced(
    first,
    last - first + 1,
    ...encodedTokens(words.slice(first, last + 1).join(''), name),
  );
  return foldTokens(name, tokens, encodedLine);
}

/**
 * Encoded words with a blank before each, short enough to stand beside the name unless it leaves no room. Of the
 * blanks before the first only one stays outside: a long run of them would not fit on a line with a word.
 */
function encodedTokens(text: string, name: string): string[] {
  const beside = encodedLine - name.length - 2;
  const words = encodeWords(text.slice(1), beside < 40 ? encodedLine - 1 : beside);
  return words.map((word, index) => (index === 0 ? text.charAt(0) : ' ') + word);
}
