import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconClockPause, IconPlayerPause, IconRefresh, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { AddButton } from '../../parts/add-button.tsx';
import { Section } from '../../parts/detail.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useApi } from '../../parts/app/use-api.ts';
import { useQueueColumns } from './columns.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { rowsOf, type Queue } from './rows.ts';
import { useRetry } from './use-retry.ts';

const refreshMs = 5_000;

/** The mail that waits, by where it goes. */
export function Page() {
  const t = useMessages('queue');
  const api = useApi();
  const can = useCan();
  const { data: queue, error } = useQuery({
    ...api.read('panel_get_queue', {}),
    refetchInterval: refreshMs,
  });
  const columns = useQueueColumns();
  const rows = queue && rowsOf(queue);
  return (
    <main>
      <PageHeader
        title={t.title}
        actions={
          <>
            <AddButton
              variant="default"
              label={t.pause_one}
              icon={IconPlayerPause}
              needs="panel_pause_destination"
              dialog={(state) => <PauseDialog {...state} />}
            />
            {can('panel_retry_queue') && queue && queue.destinations.length > 0 && <RetryAll />}
          </>
        }
      >
        {t.about}
      </PageHeader>
      <Stack gap="md">
        <ProblemAlert problem={error} />
        {queue && queue.depth > 0 && <Figures queue={queue} />}
        {queue && queue.held > 0 && <HeldNotice held={queue.held} />}
        {rows?.length === 0 ? (
          <EmptyState
            icon={IconStack2}
            title={t.empty}
            action={<PageLink page="sandbox">{t.to_sandbox}</PageLink>}
          >
            {t.empty_about}
          </EmptyState>
        ) : (
          !(error && !rows) && (
            <DataList label={t.title} rows={rows} columns={columns} idOf={({ destination }) => destination} />
          )
        )}
      </Stack>
    </main>
  );
}

function RetryAll() {
  const t = useMessages('queue');
  const { retry, isPending } = useRetry();
  return (
    <Button leftSection={<IconRefresh size={16} />} loading={isPending} onClick={() => void retry()}>
      {t.retry_all}
    </Button>
  );
}

function Figures({
  queue: { depth, is_exact, held, oldest_due_at, is_under_way, paused },
}: {
  queue: Queue;
}) {
  const t = useMessages('queue');
  const { number } = useFormat();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Figure name={t.waiting}>{is_exact ? number(depth) : t.more_than(number(depth))}</Figure>
      <Figure name={t.oldest}>{is_under_way ? t.under_way : <Time at={oldest_due_at} as="due" />}</Figure>
      <Figure name={t.held}>{number(held)}</Figure>
      <Figure name={t.paused_destinations}>{number(paused.length)}</Figure>
    </SimpleGrid>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Section>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="xl" fw={600}>
        {children}
      </Text>
    </Section>
  );
}

function HeldNotice({ held }: { held: number }) {
  const t = useMessages('queue');
  const { number } = useFormat();
  return (
    <Notice icon={<IconClockPause size={18} />} title={t.held_title(number(held))}>
      {t.held_about}{' '}
      <PageLink page="domains" inherit>
        {t.to_domains}
      </PageLink>
    </Notice>
  );
}
