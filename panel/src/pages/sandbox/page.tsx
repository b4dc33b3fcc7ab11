import { Switch } from '@mantine/core';
import { IconInbox, IconMail, IconMailOpened } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Operations } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { MessageLine, Panes } from '../../parts/panes.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SandboxSend, useSandboxCommand } from '../../parts/sandbox-send.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { useLive } from '../../parts/app/use-live.ts';
import { ActionButton } from '../../parts/actions.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { ClearSandbox } from './clear-sandbox.tsx';
import { CapturedMessage } from './captured-message.tsx';
import { Scripts } from './scripts.tsx';

type Captured = Operations['panel_list_sandbox_messages']['result']['data'][number];

/** The list on the left, the message on the right; on phones one after the other. */
export function Page() {
  const t = useMessages('sandbox');
  const api = useApi();
  const queries = useQueryClient();
  const [state, change] = useUrlState();
  const { search, page, open, live, is_read: wanted } = state;
  useLive(live !== 'off', ({ event }) => {
    if (event !== 'received')
      void queries.invalidateQueries({ queryKey: [api.slug, 'panel_list_sandbox_messages'] });
  });
  const columns: Column<Captured>[] = [
    {
      name: 'message',
      header: t.subject,
      cell: ({ mail_id, subject, recipient: to, is_read, platform_kind }) => (
        <MessageLine title={subject || t.no_subject} isOpen={mail_id === open} isRead={is_read}>
          {platform_kind === null ? to : `${to} · ${t.of_platform}`}
        </MessageLine>
      ),
    },
    {
      name: 'captured',
      header: t.captured,
      min: 7,
      align: 'end',
      cell: ({ captured_at }) => <Time at={captured_at} as="relative" />,
    },
  ];
  return (
    <main>
      <PageHeader
        title={t.title}
        actions={
          <>
            <Switch
              label={t.live}
              checked={live !== 'off'}
              onChange={({ currentTarget }) =>
                change({ live: currentTarget.checked ? undefined : 'off' }, { replace: true })
              }
            />
            <MarkAll />
            <SandboxSend variant="default" />
            <ClearSandbox onCleared={() => change({ open: undefined })} />
          </>
        }
      >
        {t.about}
      </PageHeader>
      <Panes
        isOpen={open !== undefined}
        list={
          <ListBody
            label={t.title}
            filters={[
              { kind: 'text', name: 'search', label: t.search },
              {
                kind: 'select',
                name: 'is_read',
                label: t.shown,
                options: (['false', 'true'] as const).map((value) => ({
                  value,
                  label: t.read_states[value],
                })),
              },
            ]}
            query={api.read('panel_list_sandbox_messages', {
              query: {
                search,
                is_read: wanted === undefined ? undefined : wanted === 'true',
                page: Number(page ?? 1),
              },
            })}
            columns={columns}
            idOf={({ mail_id }) => mail_id}
            to={({ mail_id }) => ({ page: 'sandbox', search: { ...state, open: mail_id } })}
            empty={{
              icon: IconInbox,
              title: t.empty,
              about: t.empty_about,
              action: <SandboxSend />,
              command: useSandboxCommand(),
            }}
          />
        }
      >
        {open === undefined ? (
          <EmptyState icon={IconMail} title={t.choose}>
            {t.choose_help}
          </EmptyState>
        ) : (
          <CapturedMessage mail_id={open} onClose={() => change({ open: undefined, tab: undefined })} />
        )}
      </Panes>
      <Scripts />
    </main>
  );
}

function MarkAll() {
  const t = useMessages('sandbox');
  const can = useCan();
  const mark = useChange('panel_read_sandbox_messages');
  if (!can('panel_read_sandbox_messages')) return null;
  return (
    <ActionButton
      action={{
        label: t.mark_all,
        icon: IconMailOpened,
        run: async () => await mark.mutateAsync({ body: {} }),
      }}
    />
  );
}
