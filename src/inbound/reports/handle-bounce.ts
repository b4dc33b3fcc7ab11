import { type LateBounceResult, recordLateBounce } from '../../events/index.ts';
import { classifyFailure } from '../../protocol/dsn/classify-failure.ts';
import { readReport } from '../../protocol/dsn/read-report.ts';
import type { ReportedRecipient } from '../../protocol/dsn/report.ts';
import type { KnownMail } from '../session/inbound-address.ts';
import type { InboundContext, InboundResult } from '../session/inbound-context.ts';
import { handleComplaint } from './handle-complaint.ts';

const results: Record<LateBounceResult, InboundResult> = {
  recorded: 'bounce',
  known: 'bounce_known',
  in_delivery: 'too_early',
  not_sent: 'bounce_unsent',
  unknown_mail: 'ignored',
};

/** Mail to a return path. Its token identifies the mail, whatever the report says. */
export async function handleBounce(
  context: InboundContext,
  mail: KnownMail,
  raw: Buffer,
): Promise<InboundResult> {
  const report = readReport(raw);
  if (report.kind === 'complaint') return (await handleComplaint(context, report)) ?? 'ignored';
  if (report.kind !== 'bounce') return report.kind === 'auto_reply' ? 'auto_reply' : 'ignored';
  const failure = findFailure(report.recipients, mail.recipient);
  if (!failure) return 'not_failed';
  const { smtp_code, status: enhanced_code, diagnostic: response, remote_mta: remote_host } = failure;
  const reply = { smtp_code, enhanced_code, response, remote_host };
  const bounce = { mail_id: mail.mail_id, ...classifyFailure(failure), at: context.clock.now(), ...reply };
  return results[await recordLateBounce(context.db, bounce)];
}

/**
 * The failure of our one recipient. Behind an alias or list there may be several: the mail failed only if it reached
 * none.
 */
function findFailure(reported: ReportedRecipient[], recipient: string): ReportedRecipient | undefined {
  const isOurs = (address: string | undefined): boolean => address?.toLowerCase() === recipient.toLowerCase();
  const ours = reported.filter(
    ({ final_recipient, original_recipient }) => isOurs(final_recipient) || isOurs(original_recipient),
  );
  const about = ours.length > 0 ? ours : reported;
  return about.every(({ action }) => action === 'failed') ? about[0] : undefined;
}
