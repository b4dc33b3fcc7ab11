import { boundedText, storableText } from '../../base/db/storable-text.ts';
import { subjectOf } from '../../protocol/dsn/auto-reply.ts';
import { partText } from '../../protocol/mime/decode-part.ts';
import { endOfHeader, readHeaderBlock } from '../../protocol/mime/header-block.ts';
import { filenameOf } from '../../protocol/mime/parse-message.ts';
import { readAddresses } from '../../protocol/mime/read-addresses.ts';
import { fieldOf, type Field } from '../../protocol/mime/read-fields.ts';
import { readParts, type Part } from '../../protocol/mime/read-parts.ts';
import { decodedLength, transferEncodingOf } from '../../protocol/mime/transfer-chunks.ts';
import {
  type Addresses,
  type Answer,
  type Attachment,
  type Automation,
  type NamedAddress,
  type ParsedMail,
  readAnswer,
} from '../../received/index.ts';
import { contactsIn } from './contacts-in-mail.ts';
import { readAutomation } from './read-automation.ts';

/** What is read of the source by itself, without asking anybody. */
export type ReadMail = Omit<ParsedMail, 'authentication' | 'spam_score' | 'in_reply_to_mail_id'> &
  Pick<Answer, 'opt_out'>;

interface Received {
  mail_from: string | null;
  recipient: string;
}

/** Of text and of HTML; the source has the rest. */
const maxTextBytes = 512 * 1024;
/** As `readParts` gives them. */
const maxParts = 100;
const maxAddresses = 100;
const maxReferences = 50;
const maxHeaders = 300;
const maxHeaderLength = 4_000;
const maxHeaderBytes = 128 * 1024;

/** Whatever the message is, it takes time and memory in proportion to it, and does not throw for what is in it. */
export function readMail(raw: Buffer, received: Received): ReadMail {
  const message = readParts(raw);
  const { fields, parts } = message;
  const html = parts.find((part) => isShown(part, 'text/html'));
  const plain = parts.find((part) => isShown(part, 'text/plain'));
  const addresses = addressesOf(fields);
  const [from] = addresses.from;
  const texts = { text: textOf(plain), html: textOf(html) };
  const subject = boundedText(subjectOf(fields), 1_000);
  const automation = readAutomation(message, { ...received });
  return {
    subject,
    from_address: from?.email ?? null,
    from_name: from?.name ?? null,
    addresses,
    headers: headersOf(raw, fields),
    message_id: idsIn(fieldOf(fields, 'message-id'), 1)[0] ?? null,
    in_reply_to: idsIn(fieldOf(fields, 'in-reply-to'), 1)[0] ?? null,
    reference_ids: idsIn(fieldOf(fields, 'references'), maxReferences),
    sent_at: dateOf(fieldOf(fields, 'date')),
    ...texts,
    is_truncated: isCut(plain) || isCut(html) || parts.length >= maxParts,
    automation,
    ...readAnswer({ ...texts, subject: subject ?? undefined }, { is_automatic: isOfProgram(automation) }),
    contacts: contactsIn({ ...received, addresses, subject, ...texts }),
    attachments: parts
      .filter((part) => part !== html && part !== plain)
      .map((part, index) => describe(raw, part, index + 1)),
  };
}

/** What a program wrote withdraws nothing. */
function isOfProgram({ auto_submitted, is_auto_reply, is_report, list_id }: Automation): boolean {
  return is_auto_reply || is_report || auto_submitted !== 'no' || list_id !== null;
}

function isShown({ type, fields }: Part, wanted: string): boolean {
  return type === wanted && !/^attachment\b/i.test(fieldOf(fields, 'content-disposition') ?? '');
}

function textOf(part: Part | undefined): string | null {
  return part ? storableText(partText(part, maxTextBytes)) : null;
}

const isCut = (part: Part | undefined): boolean => part !== undefined && part.body.length > maxTextBytes;

function addressesOf(fields: readonly Field[]): Addresses {
  const of = (name: string): NamedAddress[] =>
    readAddresses(fieldOf(fields, name) ?? '', maxAddresses).mailboxes.map((mailbox) => ({
      email: boundedText(mailbox.address, 320) ?? '',
      name: boundedText(mailbox.name, 255),
    }));
  return { from: of('from'), to: of('to'), cc: of('cc'), reply_to: of('reply-to') };
}

/** With their names as they were written, where the header is well-formed. */
function headersOf(raw: Buffer, fields: readonly Field[]): ParsedMail['headers'] {
  const end = endOfHeader(raw.subarray(0, maxHeaderBytes));
  const block = end < maxHeaderBytes ? readHeaderBlock(raw, end) : undefined;
  const written =
    block?.fields.map(({ name, value, start }) => ({
      name: raw.toString('latin1', start, start + name.length),
      value,
    })) ?? fields;
  return written
    .slice(0, maxHeaders)
    .map(({ name, value }) => [storableText(name), storableText(value.slice(0, maxHeaderLength))]);
}

function idsIn(value: string | undefined, most: number): string[] {
  const found = (value ?? '').matchAll(/<([^<>\s]{1,998})>/g);
  return [...found.take(most)].map(([, id = '']) => storableText(id));
}

/** What the database can hold; other dates are a mistake of the sender. */
function dateOf(value: string | undefined): Date | null {
  const date = new Date((value ?? '').slice(0, 100));
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 10_000 ? date : null;
}

function describe(raw: Buffer, part: Part, n: number): Attachment {
  const encoding = transferEncodingOf(fieldOf(part.fields, 'content-transfer-encoding'));
  const content_id = /<?([^<>\s]{1,255})>?/.exec(fieldOf(part.fields, 'content-id') ?? '')?.[1];
  const isInline = /^inline\b/i.test(fieldOf(part.fields, 'content-disposition') ?? '');
  return {
    n,
    filename: boundedText(filenameOf(part), 255),
    content_type: part.type,
    content_id: boundedText(content_id, 255),
    disposition: isInline || (part.is_related && content_id !== undefined) ? 'inline' : 'attachment',
    encoding,
    starts_at: part.body.byteOffset - raw.byteOffset,
    encoded_bytes: part.body.length,
    size_bytes: decodedLength(encoding, part.body),
  };
}
