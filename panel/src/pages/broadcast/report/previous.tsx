import type { BroadcastReport } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { DataList, type Column } from '../../../parts/data-list.tsx';
import { Section } from '../../../parts/detail.tsx';

interface Compared {
  broadcast_id: number;
  name: string;
  rates: BroadcastReport['rates'];
}

const compared = ['open', 'click', 'unsubscribe', 'complaint'] as const;

/** This broadcast beside the ones before it. */
export function Previous({ report }: { report: BroadcastReport }) {
  const t = useMessages('broadcast_report');
  const { percent } = useFormat();
  if (report.previous.length === 0) return null;
  const columns: Column<Compared>[] = compared.map((rate) => ({
    name: rate,
    header: t.rates[rate],
    min: 6,
    align: 'end',
    isNumber: true,
    cell: ({ rates }) => percent(rates[rate]),
    rank: 1,
  }));
  return (
    <Section title={t.previous} flush>
      <DataList<Compared>
        label={t.previous}
        rows={[report, ...report.previous]}
        idOf={({ broadcast_id }) => broadcast_id}
        to={({ broadcast_id }) => ({ page: 'broadcast', id: broadcast_id })}
        columns={[
          {
            name: 'name',
            header: t.broadcast,
            cell: ({ broadcast_id, name }) =>
              broadcast_id === report.broadcast_id ? `${name} (${t.this_one})` : name,
          },
          ...columns,
        ]}
      />
    </Section>
  );
}
