import { readComplaint } from '../arf/read-complaint.ts';
import { partText } from '../mime/decode-part.ts';
import { readParts, type ReadMessage } from '../mime/read-parts.ts';
import { stripTags } from '../mime/strip-tags.ts';
import { isAutoReply, isTitledAutoReply } from './auto-reply.ts';
import { readDeliveryStatus } from './delivery-status.ts';
import { paragraphOf, refusedAt } from './paragraph.ts';
import type { Report, ReportedRecipient } from './report.ts';
import { readTextBounce } from './text-bounce.ts';

/** Reports say what they have to say first; behind it comes the returned message, of any size. */
const maxRead = 1024 * 1024;
const maxStatusLength = 64 * 1024;
const maxTextLength = 16 * 1024;
const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status']);

/** What a message that came back to us is: a bounce, a complaint, a program's answer, or something else. */
export function readReport(raw: Buffer): Report {
  const message = readParts(raw.subarray(0, maxRead));
  const { fields } = message;
  const complaint = readComplaint(message);
  if (complaint) return complaint;
  const reported = byStatus(message);
  if (reported.length > 0) return { kind: 'bounce', recipients: reported };
  // A person's program may quote anything, a bounce too; a receipt (RFC 8098) says that a mail was shown.
  const isReceipt = message.parts.some(({ type }) => type === 'message/disposition-notification');
  if (isReceipt || isTitledAutoReply(fields)) return { kind: 'auto_reply' };
  const recipients = readTextBounce(fields, humanText(message));
  if (recipients) return { kind: 'bounce', recipients };
  return { kind: isAutoReply(fields) ? 'auto_reply' : 'other' };
}

function byStatus(message: ReadMessage): ReportedRecipient[] {
  const part = message.parts.find(({ type }) => statusTypes.has(type));
  if (!part) return [];
  // Only the text for people says where in the session it was rejected.
  const text = humanText(message);
  return readDeliveryStatus(partText(part, maxStatusLength)).map((recipient) => ({
    ...recipient,
    refused_at: recipient.refused_at ?? refusedAt(paragraphOf(text, recipient.final_recipient)),
  }));
}

function humanText({ parts }: ReadMessage): string {
  const plain = parts.find(({ type }) => type === 'text/plain');
  if (plain) return partText(plain, maxTextLength);
  const html = parts.find(({ type }) => type === 'text/html');
  return html ? stripTags(partText(html, maxTextLength)) : '';
}
