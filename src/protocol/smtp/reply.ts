export interface Reply {
  code: number;
  /** RFC 3463 status; left out it is `x.0.0` of the code's class, empty it is not sent at all. */
  enhanced?: string;
  /** Several lines when it is a list. Whatever is not printable ASCII is replaced before it is sent. */
  text: string | readonly string[];
  /** Ends the connection after this reply, as 221 and 421 always do. */
  close?: boolean;
}

// A reply line has at most 512 octets with its code and line end (RFC 5321 §4.5.3.1.5); the rest is for the status.
const maxText = 480;

/** The reply as it is sent: the status on each line (RFC 2034 §4), CRLF at the end. */
export function formatReply({ code, enhanced, text }: Reply): string {
  const status = enhanced ?? defaultStatus(code);
  const prefix = status === '' ? '' : `${status} `;
  if (typeof text === 'string' && isLine(text)) return `${code} ${prefix}${text}\r\n`;
  const lines = typeof text === 'string' ? fold(text) : text.flatMap(fold);
  const last = lines.pop() ?? '';
  let reply = '';
  for (const line of lines) reply += `${code}-${prefix}${line}\r\n`;
  return `${reply}${code} ${prefix}${last}\r\n`;
}

/** 3xx replies have no status: RFC 2034 §4 names the classes 2, 4 and 5. */
function defaultStatus(code: number): string {
  const kind = Math.trunc(code / 100);
  return kind === 3 ? '' : `${kind}.0.0`;
}

/** Whether a text can be sent as it is. */
function isLine(text: string): boolean {
  return text.length <= maxText && !/[^\x20-\x7e]/.test(text);
}

function fold(text: string): string[] {
  return isLine(text) ? [text] : (printable(text).match(/.{1,480}/g) ?? ['']);
}

/** A line end inside the text would allow forged replies. */
function printable(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/[^\x20-\x7e]/gu, '?');
}

/** What follows a reply: the next line, the message, the TLS handshake, or the end. */
export type NextStep = 'line' | 'data' | 'tls' | 'close';

export interface Answer extends Reply {
  next: NextStep;
}
