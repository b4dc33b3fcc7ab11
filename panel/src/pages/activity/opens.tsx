import { Stack } from '@mantine/core';
import { IconMailOpened } from '@tabler/icons-react';
import type { Open, OpensOfMail, OpensOfMessage } from '../../api/operations.ts';
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

type Row = Open | OpensOfMail | OpensOfMessage;

export function Opens() {
  const t = useWords(words);
  const api = useApi();
  const { common, engagement, grouping, page } = useActivityQuery();
  return (
    <Stack gap="md">
      <ActivityChart
        title={t.opens_chart}
        series={[
          { name: 'opens', label: t.opens, color: 'var(--panel-info)' },
          { name: 'unique_opens', label: t.mails_opened, color: 'var(--panel-accent)' },
        ]}
      />
      <ListBody
        label={t.opens}
        filters={useEngagementFilters()}
        query={api.read('panel_list_opens', { query: { ...common, ...engagement, page } })}
        columns={useColumns(grouping)}
        idOf={idOf}
        to={placeOf}
        empty={
          <EmptyState icon={IconMailOpened} title={t.no_opens}>
            {t.no_opens_about}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function idOf(row: Row): string {
  if ('opened_at' in row) return `${row.mail_id} ${row.opened_at}`;
  return 'mail_id' in row ? row.mail_id : row.msg_id;
}

function useColumns(grouping: Grouping): Column<Row>[] {
  const t = useWords(words);
  const { number, percent } = useFormat();
  const time: Column<Row> = {
    name: 'at',
    header: grouping === 'none' ? t.opened : t.last_opened,
    width: '10.5rem',
    align: 'end',
    cell: (row) => <Time at={'opened_at' in row ? row.opened_at : row.last_opened_at} />,
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
    header: t.opens,
    width: '6.5rem',
    align: 'end',
    cell: ({ open_count }) => number(open_count),
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
        'recipients_opened' in row &&
        (row.rcpt_count
          ? t.share_of(number(row.recipients_opened), percent(row.recipients_opened / row.rcpt_count))
          : number(row.recipients_opened)),
    };
    const subject: Column<Row> = {
      name: 'subject',
      header: t.subject,
      cell: (row) => ('subject' in row && row.subject) || '—',
    };
    return [subject, count, share, sender, time];
  }
  const visitor: Column<Row> = {
    name: 'visitor',
    header: t.visitor,
    width: '32%',
    cell: (row) => 'is_machine' in row && <Visitor {...row} />,
    from: 'md',
  };
  return [recipient, visitor, sender, time];
}
