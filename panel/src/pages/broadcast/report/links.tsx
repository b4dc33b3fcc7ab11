import { Text } from '@mantine/core';
import type { BroadcastReport } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { DataList } from '../../../parts/data-list.tsx';
import { Section } from '../../../parts/detail.tsx';
import styles from './report.module.css';

/** Which links people followed. */
export function Links({ report: { links } }: { report: BroadcastReport }) {
  const t = useMessages('broadcast_report');
  const { number } = useFormat();
  return (
    <Section title={t.links} flush={links.length > 0}>
      {links.length === 0 ? (
        <Text size="sm">{t.no_clicks}</Text>
      ) : (
        <DataList
          label={t.links}
          rows={links}
          idOf={({ url }) => url}
          columns={[
            { name: 'url', header: t.link, cell: ({ url }) => <span className={styles['link']}>{url}</span> },
            {
              name: 'clicks',
              header: t.clicks,
              min: 6,
              align: 'end',
              isNumber: true,
              cell: ({ clicks }) => number(clicks),
              rank: 1,
            },
            {
              name: 'people',
              header: t.people_who,
              min: 6,
              align: 'end',
              isNumber: true,
              cell: ({ recipients }) => number(recipients),
              rank: 1,
            },
          ]}
        />
      )}
    </Section>
  );
}
