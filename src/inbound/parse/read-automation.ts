import { boundedText } from '../../base/db/storable-text.ts';
import { isAnswer } from '../../protocol/dsn/auto-reply.ts';
import { fieldOf } from '../../protocol/mime/read-fields.ts';
import type { ReadMessage } from '../../protocol/mime/read-parts.ts';
import type { Automation } from '../../received/index.ts';

const submitted = ['auto-generated', 'auto-replied', 'auto-notified'] as const;

/** More than any path of a mail has that is not in a circle. */
const manyHops = 50;

/** What the header says of programs, lists and loops (RFC 3834, RFC 2369, RFC 2919). */
export function readAutomation(
  { type, fields }: ReadMessage,
  { recipient }: { recipient: string },
): Automation {
  const value = (fieldOf(fields, 'auto-submitted') ?? 'no').toLowerCase();
  const named = submitted.find((each) => value.startsWith(each));
  const visited = recipient.toLowerCase();
  return {
    // RFC 3834 §5: a value that is not known means that it was not written by a person.
    auto_submitted: named ?? (/^no\b/.test(value) ? 'no' : 'auto-generated'),
    is_auto_reply: isAnswer(fields),
    is_report: type === 'multipart/report',
    list_id: boundedText(fieldOf(fields, 'list-id'), 255),
    list_unsubscribe: boundedText(fieldOf(fields, 'list-unsubscribe'), 2_000),
    precedence: boundedText(fieldOf(fields, 'precedence')?.toLowerCase(), 40),
    is_loop:
      fields.filter(({ name }) => name === 'received').length > manyHops ||
      fields.some(
        ({ name, value: of }) => /^(?:delivered-to|x-loop)$/.test(name) && of.toLowerCase() === visited,
      ),
  };
}
