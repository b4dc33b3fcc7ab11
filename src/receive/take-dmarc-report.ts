import { storeDmarcReport } from '../domains/dmarc-reports.ts';
import { findAggregateReport } from '../protocol/dmarc/find-report.ts';
import type { ReceiveContext, Taken } from './receive-context.ts';

const day_ms = 86_400_000;
/** Clocks differ, and some vendors report on days that are not over; what is older is of no use to anybody. */
const earliest_days = 400;
const latest_days = 2;

export async function takeDmarcReport({ db, clock }: ReceiveContext, raw: Buffer): Promise<Taken> {
  const report = await findAggregateReport(raw);
  if (!report) return 'dmarc_unreadable';
  const now = clock.now();
  const days = (now.getTime() - report.begins_at.getTime()) / day_ms;
  if (days > earliest_days || days < -latest_days) return 'dmarc_unreadable';
  return (await storeDmarcReport(db, report, now)) > 0 ? 'dmarc_report' : 'dmarc_known';
}
