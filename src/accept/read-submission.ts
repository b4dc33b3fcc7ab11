import { Problem, validationProblem } from '../base/errors/problem.ts';
import { invalidKey, isIdempotencyKey } from '../base/http/idempotency-key.ts';
import type { IdempotentCall } from '../base/http/operation.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { foldMailboxes } from '../protocol/mime/address-header.ts';
import {
  endOfHeader,
  readHeaderBlock,
  rewriteFields,
  type HeaderBlock,
} from '../protocol/mime/header-block.ts';
import { readAddresses } from '../protocol/mime/read-addresses.ts';
import { partBytes } from '../protocol/mime/decode-part.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { readParts, type Part } from '../protocol/mime/read-parts.ts';
import type { Mailbox } from '../protocol/mime/outgoing-message.ts';
import type { Draft, DraftRecipient } from './draft.ts';
import { isLonger, malformed, printable, readText } from './header-text.ts';
import { sendLimits } from './send-schema.ts';
import { digestOfSubmission } from './submission-digest.ts';
import { readOptions, readStrictness } from './submission-options.ts';
import { partsForTemplate, readTemplateOptions } from './submission-template.ts';

interface Submission {
  instance_id: number;
  /** What it sends stays inside the sandbox. */
  sandbox_only?: boolean;
  raw: Buffer;
  /** Envelope recipients in canonical form. */
  recipients: { address: string; domain: string }[];
  /** Larger attachments are dropped, so their size must be known. */
  attachment_limit_bytes: number;
  max_header_bytes: number;
  now: Date;
  retention_months: number;
}

/**
 * Removed before delivery. Sender and Resent- fields name a transmitter other than the author (RFC 5322 §3.6.2,
 * §3.6.6); here both are the From address.
 */
const removed = /^(?:x-chq-.*|bcc|return-path|sender|resent-.*|x-report-abuse)$/;

/**
 * Builds a draft from an SMTP message. The structure is kept, option headers are removed, and From is rewritten so
 * that every reader sees the author that was checked.
 */
export function readSubmission(submission: Submission): Draft {
  const { instance_id, sandbox_only = false, raw, attachment_limit_bytes } = submission;
  const header = readHeader(submission);
  const from = readFrom(header);
  const visible = readVisible(header);
  const subject = readText(header, 'subject', sendLimits.subject);
  const options = readOptions(header, submission);
  const common = {
    source: 'smtp',
    instance_id,
    sandbox_only,
    sender_email: from.address,
    recipients: recipientsByHeader(submission.recipients, visible),
    idempotent: readKey(submission, header),
    ...options,
  } as const;
  const template = readTemplateOptions(header, readStrictness(header));
  if (template) {
    const reply_to = addressesIn(header, 'reply-to');
    const parts = partsForTemplate(header, { raw, reply_to });
    return { ...common, kind: 'template', sender_name: from.name, ...template, ...parts };
  }
  return {
    ...common,
    kind: 'raw',
    from_name: from.name,
    ...visible,
    subject,
    raw: rewriteFields(raw, header, ({ name }) => {
      if (name === 'from') return foldMailboxes('From', [from]);
      return removed.test(name) ? '' : undefined;
    }),
    attachment_bytes: attachmentBytes(raw, attachment_limit_bytes),
  };
}

const maxFields = 1_000;
const blankLine = 4;

function readHeader({ raw, max_header_bytes }: Submission): HeaderBlock {
  const headerEnd = endOfHeader(raw.subarray(0, max_header_bytes + blankLine));
  if (headerEnd > max_header_bytes) {
    throw new Problem('request_too_large', {
      max_bytes: max_header_bytes,
      detail: `The header of the message is larger than ${max_header_bytes} bytes.`,
    });
  }
  const header = readHeaderBlock(raw, headerEnd);
  if (!header) throw malformed('The header of the message is malformed.');
  if (header.fields.length > maxFields) throw malformed(`The header has more than ${maxFields} fields.`);
  return header;
}

function readVisible(header: HeaderBlock): { to: Mailbox[]; cc: Mailbox[] } {
  const visible = { to: addressesIn(header, 'to'), cc: addressesIn(header, 'cc') };
  if (visible.to.length + visible.cc.length > sendLimits.list_items) {
    throw malformed(`To and Cc name more than ${sendLimits.list_items} addresses.`);
  }
  return visible;
}

function addressesIn({ fields }: HeaderBlock, name: string): Mailbox[] {
  const found: Mailbox[] = [];
  for (const field of fields) {
    if (field.name !== name || found.length > sendLimits.list_items) continue;
    for (const each of readAddresses(field.value, sendLimits.list_items + 1).mailboxes) {
      const address = canonicalAddress(each.address)?.address;
      if (address !== undefined) found.push({ address, name: printable(each.name) || undefined });
    }
  }
  return found;
}

/** Bidirectional overrides, which change the visual order of a name. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;
const longestName = 255;
const longestFrom = 10_000;

/** Exactly one author in one unambiguous From: it decides which sender is used. */
function readFrom({ fields }: HeaderBlock): Mailbox {
  const [field, another] = fields.filter(({ name }) => name === 'from');
  if (!field || another) throw malformed('The message needs one From header.');
  if (field.value.length > longestFrom) throw malformed(`From has more than ${longestFrom} characters.`);
  const { mailboxes, is_plain } = readAddresses(field.value, 2);
  const [author, second] = mailboxes;
  const address = canonicalAddress(author?.address ?? '')?.address;
  if (!author || second || !is_plain || address === undefined) {
    throw malformed(
      'From needs exactly one address, like "Ana (Sales)" <ana@example.com>; a name with any of @ < > ( ) , : ; belongs in quotes.',
    );
  }
  const name = printable(author.name).replaceAll(bidiControls, '').trim();
  if (isLonger(name, longestName))
    throw malformed(`The name in From has more than ${longestName} characters.`);
  return { address, name: name || undefined };
}

/** Recipients are those of the envelope, each once; those in neither To nor Cc are bcc. */
function recipientsByHeader(
  envelope: Submission['recipients'],
  visible: { to: Mailbox[]; cc: Mailbox[] },
): DraftRecipient[] {
  const named = new Map<string, Pick<DraftRecipient, 'kind' | 'name'>>();
  for (const kind of ['to', 'cc'] as const) {
    for (const { address, name } of visible[kind]) setOnce(named, address, { kind, name });
  }
  const recipients = new Map<string, DraftRecipient>();
  for (const { address, domain } of envelope) {
    const { kind = 'bcc', name } = named.get(address.toLowerCase()) ?? {};
    setOnce(recipients, address, { address, domain, name, kind });
  }
  return [...recipients.values()];
}

/** Case-insensitively; the first one counts. */
function setOnce<T>(byAddress: Map<string, T>, address: string, value: T): void {
  const key = address.toLowerCase();
  if (!byAddress.has(key)) byAddress.set(key, value);
}

function readKey({ raw, recipients }: Submission, header: HeaderBlock): IdempotentCall | undefined {
  const given = header.fields.filter(({ name }) => name === 'x-chq-idempotency-key');
  if (given.length === 0) return undefined;
  const key = given[0]?.value.trim() ?? '';
  if (given.length > 1 || !isIdempotencyKey(key)) throw validationProblem([invalidKey('')]);
  return { key, body_digest: digestOfSubmission({ raw, header, recipients }) };
}

/**
 * Decoded octets of the attachments, up to the limit; more than any limit when there are too many files. Parsing a
 * message dominates the cost of this path, so it is skipped when the message itself is smaller than the limit.
 */
function attachmentBytes(raw: Buffer, limit: number): number {
  if (raw.length <= limit && !mayHaveManyAttachments(raw)) return 0;
  const attachments = readParts(raw).parts.filter(isAttachment);
  if (attachments.length > sendLimits.attachments) return Number.MAX_SAFE_INTEGER;
  let sum = 0;
  for (const part of attachments) {
    if (sum <= limit) sum += partBytes(part, limit + 1).length;
  }
  return sum;
}

/** Every attachment is preceded by a boundary line, which is cheaper to count than to parse. */
function mayHaveManyAttachments(raw: Buffer): boolean {
  let lines = 0;
  for (let at = raw.indexOf('\n--'); at !== -1 && lines <= sendLimits.attachments;) {
    lines += 1;
    at = raw.indexOf('\n--', at + 1);
  }
  if (lines <= sendLimits.attachments) return false;
  let mentions = 0;
  for (const _mention of raw.toString('latin1').matchAll(/^content-disposition:/gim)) {
    mentions += 1;
    if (mentions > sendLimits.attachments) return true;
  }
  return false;
}

/** What a mail client shows as a file: neither body text nor an inline image. */
function isAttachment({ type, fields, is_related }: Part): boolean {
  const isFile = /^attachment\b/i.test(fieldOf(fields, 'content-disposition') ?? '');
  if (type === 'text/plain' || type === 'text/html') return isFile;
  return !(is_related && fieldOf(fields, 'content-id') !== undefined);
}
