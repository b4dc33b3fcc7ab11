import { storeDmarcReport } from './dmarc-reports.ts';
import { findAggregateReport } from '../../protocol/dmarc/find-report.ts';
import { authenticateReporter } from './authenticate-reporter.ts';
import type { Incoming, InboundContext, InboundResult } from '../session/inbound-context.ts';

const dayMs = 86_400_000;
/** Clocks differ, and some reporters cover unfinished days; older reports are useless. */
const earliestDays = 400;
const latestDays = 2;

/** Authenticated before it is unpacked, so that forged reports are cheap. */
export async function handleDmarcReport(context: InboundContext, incoming: Incoming): Promise<InboundResult> {
  const { db, clock, resolver, dmarc_quota: quota } = context;
  const reporter = await authenticateReporter(resolver, incoming);
  if (reporter.kind === 'unaligned') return 'dmarc_unaligned';
  if (reporter.kind === 'unknown') return 'dmarc_unchecked';
  const report = await findAggregateReport(incoming.raw);
  if (!report) return 'dmarc_unreadable';
  const now = clock.now();
  const days = (now.getTime() - report.begins_at.getTime()) / dayMs;
  if (days > earliestDays || days < -latestDays) return 'dmarc_unreadable';
  const stored = await storeDmarcReport(db, report, { reporter: reporter.domain, received_at: now, quota });
  if (stored === 'full') return 'dmarc_full';
  return stored > 0 ? 'dmarc_report' : 'dmarc_known';
}
