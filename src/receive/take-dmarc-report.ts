import { storeDmarcReport } from '../inbound/index.ts';
import { findAggregateReport } from '../protocol/dmarc/find-report.ts';
import { authenticateReporter } from './authenticate-reporter.ts';
import type { Incoming, ReceiveContext, Taken } from './receive-context.ts';

const day_ms = 86_400_000;
/** Clocks differ, and some vendors report on days that are not over; what is older is of no use to anybody. */
const earliest_days = 400;
const latest_days = 2;

/** Checked before it is unpacked: what a stranger forged costs no more than that. */
export async function takeDmarcReport(context: ReceiveContext, incoming: Incoming): Promise<Taken> {
  const { db, clock, resolver, dmarc_quota: quota } = context;
  const reporter = await authenticateReporter(resolver, incoming);
  if (reporter.kind === 'unaligned') return 'dmarc_unaligned';
  if (reporter.kind === 'unknown') return 'dmarc_unchecked';
  const report = await findAggregateReport(incoming.raw);
  if (!report) return 'dmarc_unreadable';
  const now = clock.now();
  const days = (now.getTime() - report.begins_at.getTime()) / day_ms;
  if (days > earliest_days || days < -latest_days) return 'dmarc_unreadable';
  const stored = await storeDmarcReport(db, report, { reporter: reporter.domain, received_at: now, quota });
  if (stored === 'full') return 'dmarc_full';
  return stored > 0 ? 'dmarc_report' : 'dmarc_known';
}
