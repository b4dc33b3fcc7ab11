import { Group, Switch, Tooltip } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { respond } from '../../api/call.ts';
import type { MailRecord } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import {
  useCategoryFilter,
  useDomainFilter,
  useGroupFilter,
  useSandboxFilter,
  useSenderFilter,
  useTagFilter,
  useTestFilter,
} from '../../parts/mail-filters.ts';
import { mailKindOf, sandboxOf, tagOf, testModeOf } from '../../parts/mail-kind.ts';
import { MailMarks } from '../../parts/mail-marks.tsx';
import { MailStatus, statuses } from '../../parts/mail-status.tsx';
import { datesOf } from '../../parts/range.ts';
import { severalOf } from '../../parts/several.ts';
import { SandboxSend, useSandboxCommand } from '../../parts/sandbox-send.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan, useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState, type UrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useLive } from '../../parts/app/use-live.ts';
import { Bulk } from './bulk.tsx';

export function Page() {
  const t = useMessages('mails');
  const api = useApi();
  const can = useCan();
  const { timezone } = useInstance();
  const [state, change] = useUrlState();
  const queries = useQueryClient();
  const { page, live, range, ...filters } = state;
  const query = {
    ...filters,
    ...mailKindOf(filters),
    tag: tagOf(filters),
    test_mode: testModeOf(filters),
    sandbox: sandboxOf(filters),
    ...(range === undefined ? {} : datesOf(range, timezone)),
    ...(filters['recipient']?.includes('@') === false ? { recipient_operator: 'starts_with' as const } : {}),
    status: undefined,
    statuses: severalOf(filters['status']).map(Number),
    opened: filters['opened'] as 'opened' | 'unopened' | undefined,
  };
  const mails = api.read('panel_list_mails', { query: { ...query, page: Number(page ?? 1), page_size: 25 } });
  const isFirstPage = page === undefined;
  const stateOfLive = useLive(live === 'on', ({ event, mail }) => {
    queries.setQueryData(mails.queryKey, (shown) => {
      if (!shown) return shown;
      const isShown = shown.data.some(({ mail_id }) => mail_id === mail.mail_id);
      if (isShown)
        return { ...shown, data: shown.data.map((row) => (row.mail_id === mail.mail_id ? mail : row)) };
      // Filters are the service's to apply: with one, the page is read again.
      if (event !== 'received' || !isFirstPage) return shown;
      if (Object.keys(filters).length > 0) void queries.invalidateQueries({ queryKey: mails.queryKey });
      else return { ...shown, data: [mail, ...shown.data].slice(0, 25) };
      return shown;
    });
  });
  return (
    <ListPage
      title={t.title}
      about={t.about}
      actions={
        <Group gap="md">
          <Tooltip label={t.live_states[stateOfLive]}>
            <Switch
              label={t.live}
              checked={live === 'on'}
              onChange={({ currentTarget }) =>
                change({ live: currentTarget.checked ? 'on' : undefined }, { replace: true })
              }
            />
          </Tooltip>
          <ExportMenu
            run={async (format, signal) =>
              await respond(
                'panel_export_sent',
                { query: { ...query, tz: timezone, format } },
                { slug: api.slug, signal },
              )
            }
          />
        </Group>
      }
      filters={useFilters(state)}
      query={mails}
      columns={useColumns()}
      choice="mails"
      bulk={can('panel_retry_mail') ? (rows, onDone) => <Bulk rows={rows} onDone={onDone} /> : undefined}
      idOf={({ mail_id }) => mail_id}
      to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
      empty={{
        icon: IconMail,
        title: t.empty,
        about: t.empty_about,
        action: <SandboxSend />,
        command: useSandboxCommand(),
      }}
    />
  );
}

function useFilters(state: UrlState): Filter[] {
  const t = useMessages('mails');
  const names = useMessages('mail_status');
  const text = (name: 'mail_id' | 'msg_id' | 'custom_msg_id'): Filter => ({
    kind: 'text',
    name,
    label: t[name],
    more: true,
  });
  return [
    { kind: 'text', name: 'recipient', label: t.recipient, placeholder: t.recipient_hint },
    { kind: 'text', name: 'subject', label: t.subject, placeholder: t.subject_hint },
    {
      kind: 'several',
      name: 'status',
      label: t.status,
      options: statuses.map((value) => ({ value, label: names[value] })),
    },
    { kind: 'range', name: 'range', label: t.range, initial: '90d' },
    {
      kind: 'select',
      name: 'opened',
      label: t.opened,
      more: true,
      options: (['opened', 'unopened'] as const).map((value) => ({ value, label: t.opened_options[value] })),
    },
    useSenderFilter(),
    useCategoryFilter(state['category']),
    useGroupFilter(),
    useTagFilter(),
    useTestFilter(),
    useSandboxFilter(),
    useDomainFilter(),
    text('mail_id'),
    text('msg_id'),
    text('custom_msg_id'),
  ];
}

function useColumns(): Column<MailRecord>[] {
  const t = useMessages('mails');
  return [
    {
      name: 'to',
      header: t.recipient,
      cell: ({ to, test_mode }) => <Marked badge={<MailMarks to={to} test_mode={test_mode} />}>{to}</Marked>,
    },
    {
      name: 'status',
      header: t.status,
      min: 8,
      rank: 1,
      cell: ({ status, schedule_at }) => <MailStatus status={status} schedule_at={schedule_at} />,
    },
    { name: 'subject', header: t.subject, min: 14, grow: 3, rank: 1, cell: ({ subject }) => subject },
    {
      name: 'category',
      header: t.category,
      min: 9,
      grow: 1,
      rank: 3,
      cell: ({ category }) => category ?? '',
    },
    { name: 'sender', header: t.sender, min: 14, grow: 2, rank: 4, cell: ({ sender }) => sender },
    { name: 'opens', header: t.opens, min: 5, align: 'end', rank: 3, cell: ({ opens }) => opens || '' },
    { name: 'clicks', header: t.clicks, min: 5, align: 'end', rank: 3, cell: ({ clicks }) => clicks || '' },
    {
      name: 'group',
      header: t.custom_group_code,
      min: 9,
      grow: 1,
      rank: 4,
      isExtra: true,
      cell: ({ custom_group_code }) => custom_group_code ?? '',
    },
    {
      name: 'custom_msg_id',
      header: t.custom_msg_id,
      min: 9,
      grow: 1,
      rank: 4,
      isExtra: true,
      cell: ({ custom_msg_id }) => custom_msg_id ?? '',
    },
    {
      name: 'tags',
      header: t.tags,
      min: 12,
      grow: 1,
      rank: 4,
      isExtra: true,
      cell: ({ tags }) =>
        Object.entries(tags)
          .map(([name, value]) => `${name}: ${value}`)
          .join(', '),
    },
    {
      name: 'received',
      header: t.received,
      min: 10,
      align: 'end',
      rank: 1,
      cell: ({ received_at }) => <Time at={received_at} />,
    },
  ];
}
