import { Group, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import type { Column } from '../../parts/data-list.tsx';
import { IconAction } from '../../parts/actions.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useChange } from '../../parts/app/use-api.ts';
import type { QueueRow } from './rows.ts';
import { useRetry } from './use-retry.ts';

export function useQueueColumns(): Column<QueueRow>[] {
  const t = useMessages('queue');
  const { number } = useFormat();
  const can = useCan();
  const columns: Column<QueueRow>[] = [
    { name: 'destination', header: t.destination, cell: (row) => <Destination row={row} /> },
    {
      name: 'mails',
      header: t.mails,
      min: 6,
      align: 'end',
      isNumber: true,
      cell: ({ mails }) => number(mails),
      rank: 1,
    },
    {
      name: 'reason',
      header: t.reason,
      min: 10,
      grow: 3,
      cell: (row) => <Why row={row} />,
      rank: 1,
    },
    {
      name: 'age',
      header: t.oldest_mail,
      min: 9,
      align: 'end',
      cell: ({ oldest_at }) => <Time at={oldest_at} as="relative" />,
      rank: 3,
    },
    {
      name: 'due',
      header: t.due,
      min: 9,
      align: 'end',
      cell: ({ next_due_at, is_under_way }) =>
        is_under_way ? t.under_way : <Time at={next_due_at} as="due" />,
      rank: 2,
    },
  ];
  if (!can('panel_pause_destination')) return columns;
  return [
    ...columns,
    { name: 'actions', header: t.actions, min: 6, align: 'end', cell: (row) => <Actions row={row} /> },
  ];
}

function Destination({ row: { destination, is_paused } }: { row: QueueRow }) {
  const t = useMessages('queue');
  return (
    <Group gap="xs" wrap="nowrap">
      <Text component="span" inherit fw={500} truncate>
        {destination}
      </Text>
      {is_paused && <StatusBadge tone="warn">{t.paused}</StatusBadge>}
    </Group>
  );
}

/** In words, with the code that logs and the API have. */
function Why({ row: { last_error, paused_at, attempts, is_under_way } }: { row: QueueRow }) {
  const t = useMessages('queue');
  const known: Record<string, string | undefined> = useMessages('reasons');
  const format = useFormat();
  if (paused_at !== null) return t.paused_since(format.moment(paused_at));
  if (last_error === null) return is_under_way ? t.first_attempt : t.not_tried;
  return (
    <Stack gap={0}>
      <Text component="span" inherit truncate>
        {known[last_error] ?? t.deferred}
      </Text>
      <Text component="code" size="xs" c="dimmed" ff="monospace" truncate>
        {last_error} · {t.attempts(attempts)}
      </Text>
    </Stack>
  );
}

function Actions({ row: { destination, mails, is_paused } }: { row: QueueRow }) {
  const t = useMessages('queue');
  const { retry, isPending } = useRetry();
  const params = { destination };
  const pause = useChange('panel_pause_destination', { onDone: () => toast(t.is_paused(destination)) });
  const resume = useChange('panel_resume_destination', { onDone: () => toast(t.is_resumed(destination)) });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {is_paused ? (
        <IconAction
          label={t.resume}
          named={t.resume_to(destination)}
          icon={IconPlayerPlay}
          isBusy={resume.isPending}
          run={() => resume.mutate({ params })}
        />
      ) : (
        <>
          <IconAction
            label={t.retry}
            named={t.retry_to(destination)}
            icon={IconRefresh}
            isBusy={isPending}
            run={async () => await retry(destination)}
          />
          <IconAction
            label={t.pause}
            named={t.pause_to(destination)}
            icon={IconPlayerPause}
            title={t.pause_to(destination)}
            about={t.pause_about(destination, mails)}
            isDangerous
            run={async () => await pause.mutateAsync({ params })}
          />
        </>
      )}
    </Group>
  );
}
