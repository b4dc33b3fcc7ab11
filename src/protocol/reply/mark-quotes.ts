import { readTextOf } from '../html/read-text.ts';

/** Private-use characters that stand where the HTML of a mail program says what follows. */
export const marks = { quote: '\uE0F0', signature: '\uE0F1', attribution: '\uE0F2' } as const;

const anyMark = /[\uE0F0-\uE0F2]/g;
/** Not across another `<`, so that tags without an end cost no more than their length. */
const openTag = /<(div|hr|blockquote|table|td|span|p|section|article)\b([^<>]*)>/gi;

/** Where these begin, the rest of the message is what it answers. */
const quoteStarts = [
  // Outlook on the web, for Windows, Mac and phones.
  /\bid=["']?(?:x_)*(?:divRplyFwdMsg|appendonsend|OLK_SRC_BODY_SECTION|mail-editor-reference-message-container|ms-outlook-mobile-reference-message|stopSpelling|replySplit|reply-intro)\b/i,
  /\bclass=["']?(?:x_)*(?:OutlookMessageHeader|ms-outlook-mobile-reference-message|yahoo_quoted|zmail_extra|gmx_quote|WordSection1_quote)\b/i,
  /\bid=["']?\w*yahoo_quoted_/i,
  // The rule that Word draws above the header that it quotes.
  /border-top: ?(?:solid (?:#E1E1E1|#B5C4DF|windowtext) 1\.0pt|1(?:\.0)?pt solid rgb\((?:225, ?225, ?225|181, ?196, ?223)\))/i,
  // GMX and Web.de.
  /\bname=["']?quote\b/i,
];
const signatureStarts =
  /\b(?:class|id|data-smartmail)=["']?(?:x_)*(?:gmail_signature|moz-signature|ms-outlook-mobile-signature|Signature|protonmail_signature_block|ydp\w{1,20}signature|AppleMailSignature|lineBreakAtBeginningOfSignature)\b/i;
const attributions = /\bclass=["']?(?:x_)*(?:gmail_attr|moz-cite-prefix)\b/i;
/** What the indent button of editors makes. */
const indent = /\bmargin[^;"']{0,40}40px[^"']{0,80}border: ?(?:none|medium)/i;
const isQuoteElement = /\b(?:type=["']?cite|class=["']?(?:x_)*(?:gmail_quote|protonmail_quote|moz-cite))/i;

/** The text of HTML with the marks in it, and whether its markup says what is quoted. */
export function readMarkedText(html: string): { text: string; has_marks: boolean } {
  let has_marks = false;
  const marked = html.replaceAll(anyMark, '').replaceAll(openTag, (tag, name: string, rest: string) => {
    if (rest === '' || rest === '/') return tag;
    if (quoteStarts.some((pattern) => pattern.test(rest))) {
      has_marks = true;
      return `<p>${marks.quote}</p>${tag}`;
    }
    if (signatureStarts.test(rest)) return `<p>${marks.signature}</p>${tag}`;
    if (attributions.test(rest)) {
      has_marks = true;
      return `${tag}${marks.attribution}`;
    }
    if (name.toLowerCase() !== 'blockquote') return tag;
    if (isQuoteElement.test(rest)) has_marks = true;
    return indent.test(rest) && !isQuoteElement.test(rest) ? '<div>' : tag;
  });
  return { text: readTextOf(marked, Infinity), has_marks };
}
