import { isHeaderName, isHeaderText } from './header-text.ts';

export interface HeaderViolation {
  /** As given; empty for `too_many`, which is a matter of all of them. */
  name: string;
  rule:
    | 'too_many'
    | 'name_invalid'
    | 'name_too_long'
    | 'value_too_long'
    | 'total_too_long'
    | 'reserved'
    | 'value_invalid';
  /** Of a reserved name: what to write instead, where there is something. */
  use_instead?: string;
}

/** 996 is what ": " leaves of the longest line, 998 (RFC 5322 §2.1.1). */
const limits = { headers: 15, name: 126, value: 995, total: 996 };
/** Options of ours, and fields for resending another person's message (RFC 5322 §3.6.6), which does not happen here. */
const reservedPrefix = /^(?:x-chq-|resent-)/;
const content = 'html, text or attachments';
const stream = "the sender's stream";

/** Names that define the message or that the platform writes at delivery, with what there is for them. */
const reserved = new Map<string, string | undefined>([
  ['to', 'to'],
  ['from', 'sender_email'],
  ['sender', 'sender_email'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['subject', 'subject'],
  ['reply-to', 'reply_to'],
  ['content-type', content],
  ['content-transfer-encoding', content],
  ['content-disposition', content],
  ['mime-version', content],
  ['message-id', 'In-Reply-To and References to thread a conversation'],
  ['list-unsubscribe', stream],
  ['list-unsubscribe-post', stream],
  ['date', undefined],
  ['return-path', undefined],
  ['received', undefined],
  ['dkim-signature', undefined],
  ['bounce-to', undefined],
  ['x-mailer', undefined],
  ['x-report-abuse', undefined],
  ['priority', undefined],
]);

/** Whether a field, in lower case, is written by the platform or says how the message is made. */
export function isReservedHeader(name: string): boolean {
  return reserved.has(name) || reservedPrefix.test(name);
}

/** What is wrong with the headers a customer wants on a message: at most one thing about each name and each value. */
export function checkCustomHeaders(headers: Record<string, string>): HeaderViolation[] {
  const entries = Object.entries(headers);
  const seen = new Set<string>();
  const violations: HeaderViolation[] = [];
  if (entries.length > limits.headers) violations.push({ name: '', rule: 'too_many' });
  for (const [name, value] of entries) {
    const aboutName = seen.has(name.toLowerCase())
      ? { name, rule: 'name_invalid' as const }
      : checkName(name);
    seen.add(name.toLowerCase());
    if (aboutName !== undefined) violations.push(aboutName);
    const rule = checkValue(value) ?? checkTotal(name, value);
    if (rule !== undefined) violations.push({ name, rule });
  }
  return violations;
}

function checkName(name: string): HeaderViolation | undefined {
  if (!isHeaderName(name)) return { name, rule: 'name_invalid' };
  if (name.length > limits.name) return { name, rule: 'name_too_long' };
  const lower = name.toLowerCase();
  if (!isReservedHeader(lower)) return undefined;
  const use_instead = reserved.get(lower);
  return { name, rule: 'reserved', ...(use_instead === undefined ? {} : { use_instead }) };
}

function checkValue(value: string): HeaderViolation['rule'] | undefined {
  if (!isHeaderText(value)) return 'value_invalid';
  return lengthOf(value) > limits.value ? 'value_too_long' : undefined;
}

function checkTotal(name: string, value: string): HeaderViolation['rule'] | undefined {
  return name.length <= limits.name && name.length + lengthOf(value) > limits.total
    ? 'total_too_long'
    : undefined;
}

/** In characters, not UTF-16 units: an emoji is one. What is too long either way need not be counted. */
function lengthOf(value: string): number {
  return value.length > 2 * limits.total ? value.length : Array.from(value).length;
}
