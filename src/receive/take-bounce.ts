import { type LateBounceResult, recordLateBounce } from '../events/index.ts';
import { judgeFailure } from '../protocol/dsn/judge-failure.ts';
import { readReport } from '../protocol/dsn/read-report.ts';
import type { ReportedRecipient } from '../protocol/dsn/report.ts';
import type { KnownMail } from './inbound-address.ts';
import type { ReceiveContext, Taken } from './receive-context.ts';
import { takeComplaint } from './take-complaint.ts';

const results: Record<LateBounceResult, Taken> = {
  recorded: 'bounce',
  known: 'bounce_known',
  in_delivery: 'too_early',
  not_sent: 'bounce_unsent',
  unknown_mail: 'ignored',
};

/** Mail to the return path of a mail of ours: its token says which, whatever the report says of itself. */
export async function takeBounce(context: ReceiveContext, mail: KnownMail, raw: Buffer): Promise<Taken> {
  const report = readReport(raw);
  if (report.kind === 'complaint') return (await takeComplaint(context, report)) ?? 'ignored';
  if (report.kind !== 'bounce') return report.kind === 'auto_reply' ? 'auto_reply' : 'ignored';
  const failure = findFailure(report.recipients, mail.recipient);
  if (!failure) return 'not_failed';
  const { smtp_code, status: enhanced_code, diagnostic: response, remote_mta: remote_host } = failure;
  const told = { smtp_code, enhanced_code, response, remote_host };
  const bounce = { mail_id: mail.mail_id, ...judgeFailure(failure), at: context.clock.now(), ...told };
  return results[await recordLateBounce(context.db, bounce)];
}

/**
 * What the report says of our one recipient. Behind an alias or a list there may be others: then the mail has failed
 * only when it reached none of them.
 */
function findFailure(reported: ReportedRecipient[], recipient: string): ReportedRecipient | undefined {
  const isOurs = (address: string | undefined): boolean => address?.toLowerCase() === recipient.toLowerCase();
  const ours = reported.filter(
    ({ final_recipient, original_recipient }) => isOurs(final_recipient) || isOurs(original_recipient),
  );
  const about = ours.length > 0 ? ours : reported;
  return about.every(({ action }) => action === 'failed') ? about[0] : undefined;
}
