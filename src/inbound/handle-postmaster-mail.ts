import { storeInboundMessage, type MailboxOwner } from './inbound-messages.ts';
import { isAnswer, subjectOf } from '../protocol/dsn/auto-reply.ts';
import { readReport } from '../protocol/dsn/read-report.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { readParts } from '../protocol/mime/read-parts.ts';
import type { Incoming, InboundContext, InboundResult } from './session/inbound-context.ts';
import { handleComplaint } from './reports/handle-complaint.ts';

/**
 * Mail to `postmaster@`, `abuse@` and the like. Feedback reports become complaints; mail from people and other abuse
 * reports are stored. Auto-replies and bounces of foreign mail are ignored.
 */
export async function handlePostmasterMail(
  context: InboundContext,
  owners: MailboxOwner[],
  incoming: Incoming,
): Promise<InboundResult> {
  const report = readReport(incoming.raw);
  if (report.kind === 'bounce') return 'ignored';
  if (report.kind === 'complaint') {
    const taken = await handleComplaint(context, report);
    if (taken) return taken;
  }
  const { fields } = readParts(incoming.raw);
  if (report.kind === 'auto_reply' && (isAnswer(fields) || incoming.mail_from === undefined))
    return 'auto_reply';
  const message = {
    ...incoming,
    mail_from: incoming.mail_from ?? null,
    header_from: fieldOf(fields, 'from') ?? '',
    subject: subjectOf(fields),
    received_at: context.clock.now(),
  };
  // For all or for none: the sender tries again, and would make another copy.
  await context.db.transaction(async (tx) => {
    for (const owner of owners) await storeInboundMessage(tx, owner, message);
  });
  return report.kind === 'complaint' ? 'complaint_untold' : 'kept';
}
