import { cutSignature, trim } from './cut-signature.ts';
import { findQuotes, type FoundQuotes } from './find-quotes.ts';
import { marks, readMarkedText } from './mark-quotes.ts';
import { forwardSubject } from './quote-labels.ts';

/**
 * `high`: the mail program marked what it quotes, or nothing is quoted. `medium`: an answer below or between quotes, a
 * forward, quotes without an attribution, or text and HTML that disagree. `low`: nothing was left but quotes, so that
 * the whole text is given, or the message was too long to be read whole.
 */
export type ReplyConfidence = 'high' | 'medium' | 'low';

export interface Reply {
  text_reply: string;
  confidence: ReplyConfidence;
}

export interface ReplySource {
  text: string | null;
  html: string | null;
  /** Tells a forward from an answer where the quote looks the same. */
  subject?: string | undefined;
}

const longestText = 256 * 1024;
const longestHtml = 1024 * 1024;
const mostLines = 5_000;
const anyMark = new RegExp(`[${Object.values(marks).join('')}]`, 'g');
const order: readonly ReplyConfidence[] = ['low', 'medium', 'high'];

/**
 * What a person wrote in answer, without what their program quoted and without signature, footer and disclaimer. The
 * two alternatives of a message are read independently, and agreement between them is the best sign of all. Bounded in
 * input, and in time by its length.
 */
export function readReply({ text, html, subject = '' }: ReplySource): Reply {
  const isForward = forwardSubject.test(subject.trim());
  const fromText = isBlank(text)
    ? undefined
    : readText(text.slice(0, longestText).replaceAll(anyMark, ''), isForward);
  const marked = isBlank(html) ? undefined : readMarkedText(html.slice(0, longestHtml));
  const fromHtml = marked && readText(marked.text, isForward);
  const isCut = (text?.length ?? 0) > longestText || (html?.length ?? 0) > longestHtml;
  const reply = choose(fromText, fromHtml, marked?.has_marks === true);
  return isCut ? { ...reply, confidence: 'low' } : reply;
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
}

function choose(text: Reply | undefined, html: Reply | undefined, hasMarks: boolean): Reply {
  if (!text || !html) return text ?? html ?? { text_reply: '', confidence: 'high' };
  const isSame = gist(text.text_reply) === gist(html.text_reply);
  if (isSame) return { text_reply: text.text_reply, confidence: more(text.confidence, html.confidence) };
  const chosen = hasMarks && html.confidence !== 'low' ? html : text;
  return { ...chosen, confidence: less(chosen.confidence, 'medium') };
}

const more = (a: ReplyConfidence, b: ReplyConfidence): ReplyConfidence =>
  order.indexOf(a) > order.indexOf(b) ? a : b;
const less = (a: ReplyConfidence, b: ReplyConfidence): ReplyConfidence =>
  order.indexOf(a) < order.indexOf(b) ? a : b;

/** Without what the two alternatives write differently: white space, emphasis, bullets, addresses of links. */
function gist(text: string): string {
  return text
    .replaceAll(/[<[(](?:https?:|mailto:)[^\s>\])]{0,2000}[>\])]/g, '')
    .replaceAll(/[\s*_·•–-]+/g, '')
    .toLowerCase();
}

function readText(text: string, isForward: boolean): Reply {
  const all = text.replaceAll(/\r\n?/g, '\n').split('\n', mostLines + 1);
  const lines = all.slice(0, mostLines).map(tidyLine);
  const quotes = findQuotes(lines);
  const runs = ownRuns(lines, quotes).map((run) => withoutMarks(cutSignature(run)));
  const written = runs.filter((run) => run.length > 0);
  const isLong = all.length > mostLines;
  if (written.length === 0) {
    const whole = trim(withoutMarks(lines)).join('\n');
    return { text_reply: whole, confidence: whole === '' ? 'high' : 'low' };
  }
  const text_reply = written
    .map((run) => run.join('\n'))
    .join('\n\n')
    .trim();
  return {
    text_reply,
    confidence: isLong
      ? 'low'
      : confidenceIn(quotes, isAboveQuote(lines, quotes) && written.length === 1, isForward),
  };
}

function isAboveQuote(lines: readonly string[], { is_quoted }: FoundQuotes): boolean {
  return is_quoted[lines.findIndex((line) => line !== '')] !== true;
}

function confidenceIn(
  { sign, is_forward }: FoundQuotes,
  isAbove: boolean,
  isForward: boolean,
): ReplyConfidence {
  if (sign === 'none') return 'high';
  return isAbove && sign !== 'bare' && !is_forward && !isForward ? 'high' : 'medium';
}

function tidyLine(line: string): string {
  return line
    .replaceAll(/[\u00a0\u202f\u2007]/g, ' ')
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .trimEnd();
}

/** The lines between what is quoted. */
function ownRuns(lines: readonly string[], { is_quoted }: FoundQuotes): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (is_quoted[at] !== true) run.push(line);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  if (run.length > 0) runs.push(run);
  return runs.map(trim).filter((each) => each.length > 0);
}

function withoutMarks(lines: readonly string[]): string[] {
  return lines.map((line) => line.replaceAll(anyMark, ''));
}
