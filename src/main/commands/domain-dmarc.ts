import { readDateRange } from '../../base/http/date-range.ts';
import { summarizeDmarc, type DmarcSummary } from '../../inbound/reports/dmarc-summary.ts';
import { findDomainByName, findDomainName } from '../../domains/domains.ts';
import { instance, optional, wordOf, type Command } from '../command.ts';
import { withInstance } from './with-store.ts';

const width = 39;

function describe({ reports, totals, sources }: DmarcSummary): string {
  const row = (name: string, values: (string | number)[]): string =>
    [name.padEnd(width), ...values.map((value) => String(value).padStart(9))].join(' ');
  return [
    `${reports} reports, ${totals.messages} messages, ${totals.passed} of them passed.`,
    ...(sources.length > 0 ? [row('source', ['messages', 'passed', 'DKIM', 'SPF', 'stopped'])] : []),
    ...sources.map(({ source_ip, messages, passed, dkim_aligned, spf_aligned, quarantined, rejected }) =>
      row(source_ip, [messages, passed, dkim_aligned, spf_aligned, quarantined + rejected]),
    ),
  ].join('\n');
}

export const domainDmarc: Command = {
  name: 'domain dmarc',
  arguments: '--instance S DOMAIN [--from DATE] [--to DATE]',
  summary: 'Sums up the DMARC reports on a domain: who sent in its name, and whether it was aligned.',
  options: {
    instance,
    from: { type: 'string', about: 'First date, YYYY-MM-DD (default a month before the last).' },
    to: { type: 'string', about: 'Last date (default today).' },
  },
  example: 'chasqui domain dmarc --instance acme mail.acme.cl --from 2026-11-01',
  async run(input) {
    const name = wordOf(input, 'the domain');
    const dates = { start_date: optional(input, 'from') ?? null, end_date: optional(input, 'to') ?? null };
    return await withInstance(input, async (db, { id: instanceId, timezone }) => {
      const range = readDateRange(dates, { now: new Date(), timezone, months: 1 });
      const id = await findDomainByName(db, instanceId, name);
      const summary = await summarizeDmarc(db, instanceId, {
        id,
        domain: await findDomainName(db, instanceId, id),
        range,
      });
      return { text: describe(summary), json: summary };
    });
  },
};
