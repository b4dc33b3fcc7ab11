import type { ComplaintReport } from '../dsn/report.ts';
import { reportedAddress } from '../dsn/reported-address.ts';
import { partBytes, partText } from '../mime/decode-part.ts';
import { fieldOf, readFields, type Field } from '../mime/read-fields.ts';
import type { Part, ReadMessage } from '../mime/read-parts.ts';

const maxReportLength = 64 * 1024;
const maxHeaderLength = 128 * 1024;
const original = /^(?:message\/(?:rfc822|global|rfc822-headers|global-headers)|text\/rfc822-headers)$/;

/** A complaint by way of a feedback loop: RFC 5965, and Outlook.com's, which only attaches the message. */
export function readComplaint({ parts }: ReadMessage): ComplaintReport | undefined {
  const report = parts.find(({ type }) => type === 'message/feedback-report');
  const header = readOriginal(parts);
  if (report === undefined) return byHeader(header);
  const fields = readFields(partText(report, maxReportLength));
  const type = /^[a-z][a-z-]{0,40}/.exec(fieldOf(fields, 'feedback-type')?.toLowerCase() ?? '')?.[0];
  return {
    kind: 'complaint',
    // RFC 5965 §3.1 demands it; a report without it is one of abuse, which is what they are sent for.
    feedback_type: type ?? 'abuse',
    original_mail_from: reportedAddress(fieldOf(fields, 'original-mail-from')),
    user_agent: fieldOf(fields, 'user-agent')?.slice(0, 200),
    original: header,
  };
}

/** Junk mail reports of Outlook.com name whose mailbox it was in a field of the returned message. */
function byHeader(header: Field[]): ComplaintReport | undefined {
  if (fieldOf(header, 'x-hmxmroriginalrecipient') === undefined) return undefined;
  return {
    kind: 'complaint',
    feedback_type: 'abuse',
    original_mail_from: undefined,
    user_agent: undefined,
    original: header,
  };
}

function readOriginal(parts: Part[]): Field[] {
  const part = parts.find(({ type }) => original.test(type));
  if (part === undefined) return [];
  // A part is read in full only where it is small or sits in no encoding: its header comes first.
  const bytes = partBytes({ ...part, body: part.body.subarray(0, 2 * maxHeaderLength) });
  const text = bytes.toString('utf8', 0, maxHeaderLength).replace(/^(?:\r?\n)+/, '');
  return readFields(text.slice(0, /\r?\n\r?\n/.exec(text)?.index ?? text.length));
}
