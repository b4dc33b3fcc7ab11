import { classify, type VerdictReason } from '../classify/classify.ts';
import type { BounceType } from '../classify/meanings.ts';
import type { ReportedRecipient } from './report.ts';

/** The other side gave up after trying for days: nothing is wrong with the address, whatever the status says. */
const expired =
  /retry time(?:out)? (?:not reached|exceeded)|queue too long|in (?:the )?queue (?:for )?too long|delivery time expired|message (?:has )?expired|unable to deliver (?:\w+ ){0,3}(?:within|after) \d|(?:connection|operation) timed out/i;

/** The bounce that a reported failure is, by the table that classifies SMTP replies. */
export function classifyFailure({
  status,
  smtp_code,
  diagnostic = '',
  refused_at: phase = 'body',
}: ReportedRecipient): { type: BounceType; reason: VerdictReason } {
  const isExpired = expired.test(diagnostic);
  const code = isExpired || status?.startsWith('4') ? 450 : (smtp_code ?? 550);
  const enhanced = isExpired || status === undefined ? null : status;
  const verdict = classify({ code, enhanced, text: diagnostic, phase }, { last_attempt: true });
  if (verdict.verdict !== 'bounced') return { type: 'soft', reason: 'temporary_failure' };
  return { type: verdict.type, reason: verdict.reason };
}
