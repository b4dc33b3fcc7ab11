import { Stack } from '@mantine/core';
import { IconMailOpened, IconPointer } from '@tabler/icons-react';
import { ListBody } from '../../parts/list-page.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { ActivityChart } from './activity-chart.tsx';
import { useActivityQuery, useEngagementFilters } from './activity-query.ts';
import { engagementOf, useEngagementColumns, type Kind } from './engagement-columns.tsx';
import { placeOf } from './place.ts';

const icons = { opens: IconMailOpened, clicks: IconPointer };

/** Opens or clicks: one by one, by mail or by message. */
export function Engagements({ kind }: { kind: Kind }) {
  const t = useMessages('activity')[kind];
  const api = useApi();
  const { common, engagement, grouping, page } = useActivityQuery();
  const query = { ...common, ...engagement, page };
  const list = {
    label: t.title,
    filters: useEngagementFilters(),
    to: placeOf,
    empty: { icon: icons[kind], title: t.empty, about: t.empty_about },
  };
  const columns = useEngagementColumns(kind, grouping);
  const idOf = (row: Parameters<typeof engagementOf>[0]): string => engagementOf(row).id;
  return (
    <Stack gap="md">
      <ActivityChart
        title={t.chart}
        series={[
          { name: kind, label: t.title, color: 'var(--panel-info)' },
          { name: `unique_${kind}`, label: t.mails, color: 'var(--panel-accent)' },
        ]}
      />
      {kind === 'opens' ? (
        <ListBody {...list} query={api.read('panel_list_opens', { query })} columns={columns} idOf={idOf} />
      ) : (
        <ListBody {...list} query={api.read('panel_list_clicks', { query })} columns={columns} idOf={idOf} />
      )}
    </Stack>
  );
}
