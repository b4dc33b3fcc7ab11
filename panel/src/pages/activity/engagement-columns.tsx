import type {
  Click,
  ClicksOfMail,
  ClicksOfMessage,
  Open,
  OpensOfMail,
  OpensOfMessage,
} from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { MailMarks } from '../../parts/mail-marks.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import type { Grouping } from './activity-query.ts';
import { Visitor } from './visitor.tsx';

export type Kind = 'opens' | 'clicks';
export type Row = Open | OpensOfMail | OpensOfMessage | Click | ClicksOfMail | ClicksOfMessage;

interface Engagement {
  id: string;
  at: string;
  count: number;
  /** Of a message: its recipients who did. */
  people: number;
}

/** What opens and clicks have under names of their own. */
export function engagementOf(row: Row): Engagement {
  const count = 'open_count' in row ? row.open_count : row.click_count;
  const about = 'mail_id' in row ? row.mail_id : row.msg_id;
  const people =
    'recipients_opened' in row
      ? row.recipients_opened
      : 'recipients_clicked' in row
        ? row.recipients_clicked
        : 0;
  if ('opened_at' in row) return { id: `${about} ${row.opened_at}`, at: row.opened_at, count, people };
  if ('clicked_at' in row) {
    return { id: `${about} ${row.clicked_at} ${row.url}`, at: row.clicked_at, count, people };
  }
  const at = 'last_opened_at' in row ? row.last_opened_at : row.last_clicked_at;
  return { id: about, at, count, people };
}

export function useEngagementColumns(kind: Kind, grouping: Grouping): Column<Row>[] {
  const { time, sender, category, recipient, count } = useCommonColumns(kind, grouping);
  const message = useMessageColumns();
  const event = useEventColumns();
  if (grouping === 'mail_id') return [recipient, count, category, sender, time];
  if (grouping === 'msg_id') return [message.subject, count, message.share, category, sender, time];
  return kind === 'clicks'
    ? [recipient, event.url, event.visitor, category, time]
    : [recipient, event.visitor, category, sender, time];
}

function useCommonColumns(kind: Kind, grouping: Grouping) {
  const all = useMessages('activity');
  const t = all[kind];
  const { number } = useFormat();
  return {
    time: {
      name: 'at',
      header: grouping === 'none' ? t.at : t.last_at,
      min: 10.5,
      align: 'end',
      rank: 1,
      cell: (row) => <Time at={engagementOf(row).at} />,
    },
    sender: {
      name: 'sender',
      header: all.sender,
      grow: 2,
      rank: 4,
      cell: ({ sender: address }) => address ?? '—',
    },
    category: {
      name: 'category',
      header: all.category,
      min: 9,
      grow: 1,
      rank: 3,
      cell: ({ category: name }) => name ?? '',
    },
    count: {
      name: 'count',
      header: t.title,
      min: 6.5,
      align: 'end',
      cell: (row) => number(engagementOf(row).count),
    },
    recipient: {
      name: 'to',
      header: all.recipient,
      cell: (row) =>
        'to' in row && <Marked badge={<MailMarks to={row.to} test_mode={row.test_mode} />}>{row.to}</Marked>,
    },
  } satisfies Record<string, Column<Row>>;
}

/** Of one message, to all of its recipients. */
function useMessageColumns() {
  const t = useMessages('activity');
  const { number, percent } = useFormat();
  return {
    share: {
      name: 'share',
      header: t.recipients,
      min: 8,
      align: 'end',
      rank: 1,
      cell: (row) => {
        const { people } = engagementOf(row);
        if (!('rcpt_count' in row) || !row.rcpt_count) return number(people);
        return t.share_of(number(people), percent(people / row.rcpt_count));
      },
    },
    subject: { name: 'subject', header: t.subject, cell: (row) => ('subject' in row && row.subject) || '—' },
  } satisfies Record<string, Column<Row>>;
}

/** Of one open or click. */
function useEventColumns() {
  const t = useMessages('activity');
  return {
    url: {
      name: 'url',
      header: t.link,
      grow: 3,
      rank: 1,
      cell: (row) => 'url' in row && <span title={row.url ?? undefined}>{row.url ?? '—'}</span>,
    },
    visitor: {
      name: 'visitor',
      header: t.visitor,
      grow: 2,
      rank: 2,
      cell: (row) => 'is_machine' in row && <Visitor {...row} />,
    },
  } satisfies Record<string, Column<Row>>;
}
