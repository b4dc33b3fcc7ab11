import { Stack } from '@mantine/core';
import { IconPointer } from '@tabler/icons-react';
import type { Click, ClicksOfMail, ClicksOfMessage } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { useApi } from '../../shell/use-api.ts';
import { ActivityChart } from './activity-chart.tsx';
import { useActivityQuery, useEngagementFilters, type Grouping } from './activity-query.ts';
import { placeOf } from './place.ts';
import { Visitor } from './visitor.tsx';
import { words } from './words.ts';

type Row = Click | ClicksOfMail | ClicksOfMessage;

export function Clicks() {
  const t = useWords(words);
  const api = useApi();
  const { common, engagement, grouping, page } = useActivityQuery();
  return (
    <Stack gap="md">
      <ActivityChart
        title={t.clicks_chart}
        series={[
          { name: 'clicks', label: t.clicks, color: 'var(--panel-info)' },
          { name: 'unique_clicks', label: t.mails_clicked, color: 'var(--panel-accent)' },
        ]}
      />
      <ListBody
        label={t.clicks}
        filters={useEngagementFilters()}
        query={api.read('panel_list_clicks', { query: { ...common, ...engagement, page } })}
        columns={useColumns(grouping)}
        idOf={idOf}
        to={placeOf}
        empty={
          <EmptyState icon={IconPointer} title={t.no_clicks}>
            {t.no_clicks_about}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function idOf(row: Row): string {
  if ('clicked_at' in row) return `${row.mail_id} ${row.clicked_at} ${row.url}`;
  return 'mail_id' in row ? row.mail_id : row.msg_id;
}

function useColumns(grouping: Grouping): Column<Row>[] {
  const t = useWords(words);
  const { number, percent } = useFormat();
  const time: Column<Row> = {
    name: 'at',
    header: grouping === 'none' ? t.clicked : t.last_clicked,
    width: '10.5rem',
    align: 'end',
    cell: (row) => <Time at={'clicked_at' in row ? row.clicked_at : row.last_clicked_at} />,
    ...(grouping === 'none' ? {} : { from: 'sm' }),
  };
  const sender: Column<Row> = {
    name: 'sender',
    header: t.sender,
    width: '22%',
    cell: ({ sender: address }) => address ?? '—',
    from: 'lg',
  };
  const count: Column<Row> = {
    name: 'count',
    header: t.clicks,
    width: '6.5rem',
    align: 'end',
    cell: ({ click_count }) => number(click_count),
  };
  const recipient: Column<Row> = {
    name: 'to',
    header: t.recipient,
    cell: (row) => ('to' in row ? row.to : ''),
  };
  if (grouping === 'mail_id') return [recipient, count, sender, time];
  if (grouping === 'msg_id') {
    const share: Column<Row> = {
      name: 'share',
      header: t.recipients,
      width: '10rem',
      align: 'end',
      cell: (row) =>
        'recipients_clicked' in row &&
        (row.rcpt_count
          ? t.share_of(number(row.recipients_clicked), percent(row.recipients_clicked / row.rcpt_count))
          : number(row.recipients_clicked)),
    };
    const subject: Column<Row> = {
      name: 'subject',
      header: t.subject,
      cell: (row) => ('subject' in row && row.subject) || '—',
    };
    return [subject, count, share, sender, time];
  }
  const url: Column<Row> = {
    name: 'url',
    header: t.link,
    width: '30%',
    cell: (row) => 'url' in row && <span title={row.url ?? undefined}>{row.url ?? '—'}</span>,
    from: 'sm',
  };
  const visitor: Column<Row> = {
    name: 'visitor',
    header: t.visitor,
    width: '22%',
    cell: (row) => 'is_machine' in row && <Visitor {...row} />,
    from: 'lg',
  };
  return [recipient, url, visitor, time];
}
