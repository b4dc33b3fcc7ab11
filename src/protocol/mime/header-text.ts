// Those of ASCII: they end a header line or hide what follows, but for the tab, a blank (RFC 5322 §2.2.2). The
// others, U+0080 to U+009F, never stand raw in a header.
const controls = /[\p{Cc}--[\t\u0080-\u009f]]/v;

/** Whether a text can stand in a header: no CR, LF, NUL or other control character of ASCII but the tab. */
export function isHeaderText(text: string): boolean {
  return !controls.test(text);
}

/** RFC 5322 §2.2: printable ASCII but the colon. */
export function isHeaderName(text: string): boolean {
  return /^[!-9;-~]+$/.test(text);
}

/** The last defence against header injection; values are validated on input. */
export function requireHeaderText(what: string, text: string): string {
  if (controls.test(text)) throw new TypeError(`${what} contains a control character`);
  return text;
}
