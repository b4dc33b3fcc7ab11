import { Group, Switch, Tooltip } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { respond } from '../../api/call.ts';
import type { MailRecord } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { MailStatus, statuses, statusWords } from '../../parts/mail-status.tsx';
import { datesOf } from '../../parts/range.ts';
import { SandboxMark } from '../../parts/sandbox-mark.tsx';
import { SandboxSend, useSandboxCommand } from '../../parts/sandbox-send.tsx';
import { Time } from '../../parts/time.tsx';
import { useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { useLive } from '../../shell/use-live.ts';
import { words } from './words.ts';

export function Page() {
  const t = useWords(words);
  const api = useApi();
  const { timezone } = useInstance();
  const [state, change] = useUrlState();
  const queries = useQueryClient();
  const { page, live, range, ...filters } = state;
  const query = {
    ...filters,
    ...(range === undefined ? {} : datesOf(range, timezone)),
    ...(filters['recipient']?.includes('@') === false ? { recipient_operator: 'starts_with' as const } : {}),
    status: filters['status'] === undefined ? undefined : Number(filters['status']),
    opened: filters['opened'] as 'opened' | 'unopened' | undefined,
  };
  const mails = api.read('panel_list_mails', { query: { ...query, page: Number(page ?? 1), page_size: 25 } });
  const isFirstPage = page === undefined;
  const state_of_live = useLive(live === 'on', ({ event, mail }) => {
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
          <Tooltip label={t.live_states[state_of_live]}>
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
      filters={useFilters()}
      query={mails}
      columns={useColumns()}
      idOf={({ mail_id }) => mail_id}
      to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
      empty={
        <EmptyState icon={IconMail} title={t.empty} action={<SandboxSend />} command={useSandboxCommand()}>
          {t.empty_about}
        </EmptyState>
      }
    />
  );
}

function useFilters(): Filter[] {
  const t = useWords(words);
  const names = useWords(statusWords);
  const text = (name: 'mail_id' | 'msg_id' | 'custom_msg_id' | 'custom_group_code'): Filter => ({
    kind: 'text',
    name,
    label: t[name],
    more: true,
  });
  return [
    { kind: 'text', name: 'recipient', label: t.recipient, placeholder: t.recipient_hint },
    { kind: 'text', name: 'subject', label: t.subject, placeholder: t.subject_hint },
    {
      kind: 'select',
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
    text('mail_id'),
    text('msg_id'),
    text('custom_msg_id'),
    text('custom_group_code'),
  ];
}

function useColumns(): Column<MailRecord>[] {
  const t = useWords(words);
  return [
    {
      name: 'to',
      header: t.recipient,
      cell: ({ to }) => <Marked badge={<SandboxMark address={to} />}>{to}</Marked>,
    },
    { name: 'status', header: t.status, width: '8rem', cell: ({ status }) => <MailStatus status={status} /> },
    { name: 'subject', header: t.subject, width: '34%', cell: ({ subject }) => subject, from: 'sm' },
    { name: 'sender', header: t.sender, width: '22%', cell: ({ sender }) => sender, from: 'lg' },
    {
      name: 'opens',
      header: t.opens,
      width: '5.5rem',
      align: 'end',
      cell: ({ opens }) => opens || '',
      from: 'lg',
    },
    {
      name: 'clicks',
      header: t.clicks,
      width: '5.5rem',
      align: 'end',
      cell: ({ clicks }) => clicks || '',
      from: 'lg',
    },
    {
      name: 'received',
      header: t.received,
      width: '10rem',
      align: 'end',
      cell: ({ received_at }) => <Time at={received_at} />,
      from: 'sm',
    },
  ];
}
