import { decodeWords } from 'postal-mime';
import { validationProblem, type Problem } from '../base/errors/problem.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { readAddresses } from '../protocol/mime/read-addresses.ts';
import { readHeaderBlock, removeFields, type HeaderBlock } from '../protocol/mime/header-block.ts';
import { partBytes } from '../protocol/mime/decode-part.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { readParts, type Part } from '../protocol/mime/read-parts.ts';
import type { Mailbox } from '../protocol/mime/outgoing-message.ts';
import { categorySlug } from '../mails/category-slug.ts';
import type { Draft, DraftRecipient } from './draft.ts';
import { sendLimits } from './send-schema.ts';

interface Submission {
  instance_id: number;
  raw: Buffer;
  /** Of the envelope, in canonical form. */
  recipients: { address: string; domain: string }[];
  /** Attachments that are heavier than this end as dropped, so they have to be weighed. */
  attachment_limit_bytes: number;
}

/** Ours to read, and nobody else's to see. */
const removed = /^(x-chq-.*|bcc|return-path)$/;

/** A message as it came in over SMTP, as a draft. Its structure is kept; only our option headers are taken out. */
export function readSubmission(submission: Submission): Draft {
  const { instance_id, raw, attachment_limit_bytes } = submission;
  const header = readHeaderBlock(raw);
  if (!header) throw malformed('The header of the message is malformed.');
  const from = readFrom(header);
  const visible = { to: addressesIn(header, 'to'), cc: addressesIn(header, 'cc') };
  const subject = readable(valueOf(header, 'subject') ?? '');
  if (isLonger(subject, sendLimits.subject)) {
    throw malformed(`The subject has more than ${sendLimits.subject} characters.`);
  }
  return {
    kind: 'raw',
    source: 'smtp',
    instance_id,
    sender_email: from.address,
    from_name: from.name,
    ...visible,
    subject,
    recipients: placeRecipients(submission.recipients, visible),
    raw: removeFields(raw, header, ({ name }) => removed.test(name)),
    attachment_bytes: weighAttachments(raw, attachment_limit_bytes),
    ...readOptions(header),
  };
}

function malformed(message: string): Problem {
  return validationProblem([{ pointer: '', code: 'value_error.message', message }]);
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]/g;

// Without `=` there is no encoded word in it.
const plain = /^[\x20-\x3c\x3e-\x7e]*$/;

/** Encoded words can hold what a header cannot, nor the store: NUL and other controls become blanks. */
function readable(value: string): string {
  return plain.test(value) ? value : decodeWords(value).replaceAll(controls, ' ').toWellFormed();
}

/** In characters, of which a text has at most as many as it has code units. */
function isLonger(text: string, most: number): boolean {
  return text.length > most && Array.from(text).length > most;
}

function valueOf({ fields }: HeaderBlock, name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

function addressesIn({ fields }: HeaderBlock, name: string): Mailbox[] {
  const found: Mailbox[] = [];
  for (const field of fields) {
    for (const each of field.name === name ? readAddresses(field.value) : []) {
      const address = canonicalAddress(each.address)?.address;
      if (address !== undefined) found.push({ address, name: readable(each.name) || undefined });
    }
  }
  return found;
}

/** One author, in one header: which sender it is must not be in doubt. */
function readFrom(header: HeaderBlock): Mailbox {
  const headers = header.fields.filter(({ name }) => name === 'from');
  const authors = addressesIn(header, 'from');
  const [author] = authors;
  if (headers.length !== 1 || authors.length !== 1 || !author) {
    throw malformed('The message needs one From header with one address.');
  }
  return author;
}

/** Recipients are those of the envelope; who is named in neither To nor Cc gets a hidden copy. */
function placeRecipients(
  envelope: Submission['recipients'],
  visible: { to: Mailbox[]; cc: Mailbox[] },
): DraftRecipient[] {
  const [to, cc] = [byAddress(visible.to), byAddress(visible.cc)];
  return Array.from(byAddress(envelope), ([key, recipient]) => {
    const kind = to.has(key) ? 'to' : cc.has(key) ? 'cc' : 'bcc';
    return { ...recipient, name: (to.get(key) ?? cc.get(key))?.name, kind };
  });
}

/** The first of each address, whatever the case of its letters. */
function byAddress<T extends { address: string }>(list: T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const each of list) {
    const key = each.address.toLowerCase();
    if (!found.has(key)) found.set(key, each);
  }
  return found;
}

function readOptions(
  header: HeaderBlock,
): Pick<Draft, 'category' | 'custom_msg_id' | 'custom_group_code' | 'test_mode'> {
  const option = (name: string, most: number): string | null => {
    const value = readable(valueOf(header, name) ?? '');
    if (isLonger(value, most)) throw malformed(`${name} has more than ${most} characters.`);
    return value === '' ? null : value;
  };
  const category = option('x-chq-category', 255);
  const slug = category === null ? null : categorySlug(category);
  if (slug === undefined) throw malformed('X-Chq-Category needs at least one letter or digit.');
  return {
    category: slug,
    custom_msg_id: option('x-chq-custom-msg-id', 254),
    custom_group_code: option('x-chq-custom-group-code', 254),
    test_mode: /^(true|1|yes)$/i.test(option('x-chq-test-mode', 10) ?? ''),
  };
}

/**
 * Decoded octets of the attachments, or more than any limit when there are too many of them. Reading a whole message
 * costs more than all else here, so it is done only when the answer could matter: attachments cannot outweigh the
 * message.
 */
function weighAttachments(raw: Buffer, limit: number): number {
  if (raw.length <= limit && !mayHaveManyAttachments(raw)) return 0;
  const attachments = readParts(raw).parts.filter(isAttachment);
  if (attachments.length > sendLimits.attachments) return Number.MAX_SAFE_INTEGER;
  return attachments.reduce((sum, part) => sum + partBytes(part).length, 0);
}

/** Each has a line of a boundary before it, which is found sooner than how it is disposed. */
function mayHaveManyAttachments(raw: Buffer): boolean {
  let lines = 0;
  for (let at = raw.indexOf('\n--'); at !== -1; at = raw.indexOf('\n--', at + 1)) lines += 1;
  if (lines <= sendLimits.attachments) return false;
  const mentions = raw.toString('latin1').match(/^content-disposition:/gim)?.length ?? 0;
  return mentions > sendLimits.attachments;
}

/** What a mail program shows as one: neither the text of the mail nor a picture inside of it. */
function isAttachment({ type, fields, is_related }: Part): boolean {
  const isFile = /^attachment\b/i.test(fieldOf(fields, 'content-disposition') ?? '');
  if (type === 'text/plain' || type === 'text/html') return isFile;
  return !(is_related && fieldOf(fields, 'content-id') !== undefined);
}
