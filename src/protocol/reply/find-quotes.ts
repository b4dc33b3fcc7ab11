import { marks } from './mark-quotes.ts';
import {
  address,
  attributionOpening,
  dateOrTime,
  datedAddress,
  headerLabelOf,
  separatorOf,
  wroteVerb,
  type HeaderLabel,
} from './quote-labels.ts';

/** Lines of a message: which ones are quoted, and by what sign. */
export interface FoundQuotes {
  is_quoted: boolean[];
  /** `header`: everything after a quoted header; `lines`: marked lines below their attribution; `bare`: the rest. */
  sign: 'none' | 'header' | 'lines' | 'bare';
  is_forward: boolean;
}

const quoteMark = /^[ \t]{0,3}>/;
const longestAttribution = 400;
const mostAttributionLines = 4;
const headerReach = 10;
const attributionEnd = /(?:[:：]|\bwrote|escribió|\bschrieb)[ *_]{0,2}$/u;

export function findQuotes(lines: readonly string[]): FoundQuotes {
  const is_quoted = lines.map((line) => quoteMark.test(line));
  joinOrphans(lines, is_quoted);
  const found: FoundQuotes = { is_quoted, sign: signOf(lines, is_quoted), is_forward: false };
  for (let at = 0; at < lines.length; at += 1) {
    if (is_quoted[at]) continue;
    if (endsAtHeader(lines, at, found)) break;
    const start = attributionStart(lines, is_quoted, at);
    if (start === undefined) continue;
    is_quoted.fill(true, start, at + 1);
    if (is_quoted[nextText(lines, at + 1)] === true) {
      found.sign = 'lines';
      continue;
    }
    // Quoted without a mark on its lines.
    is_quoted.fill(true, at);
    found.sign = found.sign === 'lines' ? 'lines' : 'bare';
    break;
  }
  return found;
}

/** Apple's programs quote the attribution as well. */
function signOf(lines: readonly string[], is_quoted: readonly boolean[]): FoundQuotes['sign'] {
  const first = is_quoted.indexOf(true);
  if (first === -1) return 'none';
  const beginning = lines
    .slice(first, first + mostAttributionLines)
    .map((line) => line.replace(/^[> \t]{1,4}/, ''));
  const end = beginning.findIndex((line) => /[:：]$/.test(line));
  return end !== -1 && isAttribution(beginning.slice(0, end + 1).join(' '), false) ? 'lines' : 'bare';
}

/** A quoted line that was wrapped on the way has lost its mark. */
function joinOrphans(lines: readonly string[], is_quoted: boolean[]): void {
  for (let at = 1; at < lines.length - 1; at += 1) {
    const isOrphan = !is_quoted[at] && is_quoted[at - 1] && is_quoted[at + 1] && lines[at] !== '';
    const isWrapped = (lines[at - 1]?.length ?? 0) > 60 && (lines[at]?.length ?? 0) < 40;
    if (isOrphan && isWrapped) is_quoted[at] = true;
  }
}

/** Whether a quoted header, or a line that introduces one, begins here: it takes the rest of the message. */
function endsAtHeader(lines: readonly string[], at: number, found: FoundQuotes): boolean {
  const line = lines[at] ?? '';
  const separator = separatorOf(line);
  const isHeader =
    line.startsWith(marks.quote) ||
    separator === 'original' ||
    separator === 'forwarded' ||
    (separator === 'rule' && hasHeader(lines, nextText(lines, at + 1))) ||
    hasHeader(lines, at);
  if (!isHeader) return false;
  found.is_forward = separator === 'forwarded' || line.startsWith(marks.attribution);
  found.is_quoted.fill(true, at);
  found.sign = 'header';
  return true;
}

/** A sender and two more fields of a header, one below the other. */
function hasHeader(lines: readonly string[], at: number): boolean {
  const first = headerLabelOf(lines[at] ?? '');
  if (first !== 'from' && first !== 'sent' && first !== 'subject') return false;
  const seen = new Set<HeaderLabel>([first]);
  // Some programs put a blank line between the fields; else it ends the header.
  const isSpread = lines[at + 1] === '';
  for (let next = at + 1; next < Math.min(lines.length, at + headerReach); next += 1) {
    const line = lines[next] ?? '';
    if (line === '' && (!isSpread || lines[next - 1] === '')) break;
    const label = headerLabelOf(line);
    if (label) seen.add(label);
  }
  return seen.has('from') && seen.size >= 3;
}

/** Where the attribution begins whose last line this is; undefined when it is not one. */
function attributionStart(
  lines: readonly string[],
  is_quoted: readonly boolean[],
  end: number,
): number | undefined {
  const last = lines[end] ?? '';
  if (last.startsWith(marks.attribution)) return end;
  if (!attributionEnd.test(last)) return undefined;
  const isFollowed = is_quoted[nextText(lines, end + 1)] === true;
  let text = '';
  for (let start = end; start >= 0 && start > end - mostAttributionLines; start -= 1) {
    const line = lines[start] ?? '';
    if (line === '' || is_quoted[start]) break;
    text = text === '' ? line : `${line} ${text}`;
    if (text.length > longestAttribution) break;
    if (line.startsWith(marks.attribution)) return start;
    if (!isAttribution(text, isFollowed)) continue;
    return opensAbove(lines, start, text) ? start - 1 : start;
  }
  return undefined;
}

/** What no quoted line follows needs more signs: a person may end a line with "wrote:" too. */
function isAttribution(text: string, isFollowed: boolean): boolean {
  const isDated = dateOrTime.test(text);
  const isNamed = address.test(text);
  const isOpened = attributionOpening.test(text);
  const hasVerb = wroteVerb.test(text);
  if (isFollowed) return (isDated && (hasVerb || isNamed)) || (isOpened && hasVerb && isNamed);
  return isDated && ((hasVerb && (isNamed || isOpened)) || datedAddress.test(text));
}

/** Whether the line above is the beginning of the attribution, which was wrapped before its date. */
function opensAbove(lines: readonly string[], start: number, text: string): boolean {
  const above = lines[start - 1] ?? '';
  return (
    above !== '' && above.length > 12 && !attributionOpening.test(text) && attributionOpening.test(above)
  );
}

function nextText(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at] === '') at += 1;
  return at;
}
