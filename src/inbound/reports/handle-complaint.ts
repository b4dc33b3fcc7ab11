import { recordComplaint } from '../../events/index.ts';
import type { MailTokens } from '../../mails/index.ts';
import type { ComplaintReport } from '../../protocol/dsn/report.ts';
import { fieldOf } from '../../protocol/mime/read-fields.ts';
import type { ComplaintType } from '../../restrictions/index.ts';
import type { InboundContext, InboundResult } from '../session/inbound-context.ts';

const types: Record<string, ComplaintType> = {
  abuse: 'spam',
  fraud: 'fraud',
  virus: 'phishing_or_malware',
};

/**
 * Feedback types that are not complaints: `not-spam` withdraws one, `auth-failure` reports a signature (RFC 6591).
 */
const noComplaint: ReadonlySet<string> = new Set(['not-spam', 'auth-failure']);

/** Undefined unless the report contains a token that we signed; nothing else in it is trusted. */
export async function handleComplaint(
  { db, clock, tokens }: InboundContext,
  report: ComplaintReport,
): Promise<InboundResult | undefined> {
  const mail_id = findReportedMail(tokens, report);
  if (mail_id === undefined) return undefined;
  if (noComplaint.has(report.feedback_type)) return 'ignored';
  const type = types[report.feedback_type] ?? 'other';
  const recorded = await recordComplaint(db, { mail_id, type, comment: null, at: clock.now() });
  if (!recorded) return undefined;
  return recorded.is_new ? 'complaint' : 'complaint_known';
}

/** By the return path, which providers quote, else by the abuse link in the header. */
function findReportedMail(tokens: MailTokens, report: ComplaintReport): string | undefined {
  const paths = [report.original_mail_from, fieldOf(report.original, 'return-path')];
  for (const path of paths) {
    const mailId = tokens.read('bounce', /bounce-([0-9a-f]{48})@/i.exec(path ?? '')?.[1] ?? '');
    if (mailId !== undefined) return mailId;
  }
  const link = fieldOf(report.original, 'x-report-abuse') ?? '';
  return tokens.read('report', /\/report\/([0-9a-f]{48})\b/i.exec(link)?.[1] ?? '');
}
