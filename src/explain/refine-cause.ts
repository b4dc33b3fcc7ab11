import type { Reason } from '../events/index.ts';
import { readStatus } from '../protocol/classify/enhanced-codes.ts';
import { meaningOfText, textToJudge } from '../protocol/classify/reply-rules.ts';
import { causeOfReason, type CauseCode } from './causes.ts';

/** What a server said; all of it is absent where none was asked. */
export interface RemoteReply {
  smtp_code: number | null;
  enhanced_code: string | null;
  response: string | null;
}

interface Refinement {
  of: Reason;
  means: CauseCode;
  /** Only of replies that ask to come again. */
  temporary?: true;
  /** Only of replies that say nothing beyond their three digits. */
  wordless?: true;
  text?: RegExp;
}

/** Where one reason covers what different people have to mend; the first that fits counts. */
const refinements: readonly Refinement[] = [
  { of: 'no_such_user', means: 'address_unconfirmed', temporary: true },
  { of: 'no_such_user', means: 'recipient_refused', wordless: true },
  { of: 'mailbox_disabled', means: 'mailbox_locked', temporary: true },
  {
    of: 'not_authenticated',
    means: 'reverse_dns_missing',
    text: /\bptr\b|reverse (?:dns|hostname|lookup)|cannot find your (?:reverse )?hostname|\brdns\b/,
  },
  {
    of: 'blocklisted',
    means: 'domain_reputation',
    text: /reputation of the sending domain|\bdbl\.spamhaus|\bsurbl\b|\buribl\b/,
  },
  { of: 'sender_rejected', means: 'greeting_rejected', text: /\b(?:helo|ehlo)\b/ },
  { of: 'policy', means: 'tls_required', text: /\bstarttls\b/ },
  { of: 'policy', means: 'rate_limited', temporary: true, text: /try again later|server busy/ },
  { of: 'system', means: 'rate_limited', temporary: true, text: /rate limit|too many connections/ },
  { of: 'routing', means: 'mail_loop', text: /hop count|too many hops|\bloops?\b/ },
];

/** The cause that a reason stands for, told more exactly by the reply where there was one. */
export function causeOfReply(reason: Reason, reply: RemoteReply): CauseCode {
  const text = textToJudge(reply.response ?? '');
  const found = refinements.find(
    (each) =>
      each.of === reason &&
      (!each.temporary || isTemporary(reply)) &&
      (!each.wordless || isWordless(reply, text)) &&
      (each.text === undefined || each.text.test(text)),
  );
  return found?.means ?? causeOfReason(reason);
}

/** Where code and status disagree, the milder one counts, as it does when replies are classified. */
function isTemporary({ smtp_code, enhanced_code }: RemoteReply): boolean {
  return (smtp_code !== null && smtp_code < 500) || (enhanced_code?.startsWith('4') ?? false);
}

function isWordless({ enhanced_code, response }: RemoteReply, text: string): boolean {
  if (response === null) return false;
  return readStatus(enhanced_code, response) === undefined && meaningOfText(text) === undefined;
}
