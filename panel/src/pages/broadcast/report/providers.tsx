import type { BroadcastReport } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { DataList, type Column } from '../../../parts/data-list.tsx';
import { Section } from '../../../parts/detail.tsx';

type Provider = BroadcastReport['providers'][number];

/** Where the mails went. */
export function Providers({ report: { providers } }: { report: BroadcastReport }) {
  const t = useMessages('broadcast_report');
  const { number, percent } = useFormat();
  if (providers.length === 0) return null;
  const share = (count: number, of: number): string => (of === 0 ? '—' : percent(count / of));
  const figure = (name: string, header: string, cell: (row: Provider) => string): Column<Provider> => ({
    name,
    header,
    min: 6,
    align: 'end',
    isNumber: true,
    cell,
    rank: 1,
  });
  return (
    <Section title={t.providers} flush>
      <DataList
        label={t.providers}
        rows={providers}
        idOf={({ provider }) => provider}
        columns={[
          { name: 'provider', header: t.provider, cell: ({ provider }) => provider },
          figure('accepted', t.accepted, ({ accepted }) => number(accepted)),
          figure('delivered', t.delivered, ({ delivered, accepted }) => share(delivered, accepted)),
          figure('bounced', t.bounced, ({ bounced, accepted }) => share(bounced, accepted)),
          figure('opened', t.opened, ({ opened, delivered }) => share(opened, delivered)),
        ]}
      />
    </Section>
  );
}
