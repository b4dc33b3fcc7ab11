import { keepInboundMessage, type MailboxOwner } from '../inbound/index.ts';
import { isAnswer, subjectOf } from '../protocol/dsn/auto-reply.ts';
import { readReport } from '../protocol/dsn/read-report.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { readParts } from '../protocol/mime/read-parts.ts';
import type { Incoming, ReceiveContext, Taken } from './receive-context.ts';
import { takeComplaint } from './take-complaint.ts';

/**
 * Mail to `postmaster@`, `abuse@` and the like: reports of feedback loops become complaints, and what a person wrote is
 * kept for people, and so is what programs report of abuse. Their answers, and bounces of mail that was never ours, are
 * nobody's to read.
 */
export async function takePostmasterMail(
  context: ReceiveContext,
  owners: MailboxOwner[],
  incoming: Incoming,
): Promise<Taken> {
  const report = readReport(incoming.raw);
  if (report.kind === 'bounce') return 'ignored';
  if (report.kind === 'complaint') {
    const taken = await takeComplaint(context, report);
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
  for (const owner of owners) await keepInboundMessage(context.db, owner, message);
  return report.kind === 'complaint' ? 'complaint_untold' : 'kept';
}
