import { digestOf } from '../base/digest.ts';
import { partBytes } from '../protocol/mime/decode-part.ts';
import type { HeaderBlock } from '../protocol/mime/header-block.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { readParts } from '../protocol/mime/read-parts.ts';

/** What mail libraries make anew each time that they write the same mail. */
const madeAnew = new Set([
  'content-type',
  'date',
  'dkim-signature',
  'message-id',
  'received',
  'x-chq-idempotency-key',
]);
/** The parser stops there, and the rest of the message would not count. */
const manyParts = 100;

interface Submitted {
  raw: Buffer;
  header: HeaderBlock;
  recipients: { address: string }[];
}

/**
 * Equal for two messages that say the same to the same recipients. A program that sends again after a lost answer has its library
 * write the message anew, with another Message-ID, Date and boundary.
 */
export function digestOfSubmission({ raw, header, recipients }: Submitted): string {
  const { parts } = readParts(raw);
  const envelope = recipients.map(({ address }) => address.toLowerCase()).toSorted();
  const fields = header.fields
    .filter(({ name }) => !madeAnew.has(name))
    .map(({ name, value }) => [name, value.trim()]);
  const described = JSON.stringify([envelope, fields]);
  if (parts.length >= manyParts) return digestOf(described, raw);
  const contents = parts.flatMap((part) => {
    const bytes = partBytes(part);
    const disposition = fieldOf(part.fields, 'content-disposition') ?? '';
    return [JSON.stringify([part.type, disposition, bytes.length]), bytes];
  });
  return digestOf(described, ...contents);
}
