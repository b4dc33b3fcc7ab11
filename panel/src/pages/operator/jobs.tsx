import { Text } from '@mantine/core';
import type { InstallationJob } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { inWords } from './in-words.ts';
import styles from './operator.module.css';

const every_ms = 10_000;

/** What runs on schedule, and what came of it. */
export function Jobs() {
  const t = useMessages('operator');
  const { jobs: names, said } = useMessages('service_words');
  const nameOf = (name: string): string => (names as Record<string, string | undefined>)[name] ?? name;
  const { seconds } = useFormat();
  const run = useAccountChange('operator_run_job', () => toast(t.job_due));
  const resultOf = ({ last_error, last_result, last_run_at }: InstallationJob) => {
    if (last_error === null) return last_run_at === null ? t.never : inWords(last_result ?? '—', said);
    return (
      <>
        <StatusBadge tone="bad">{t.failed}</StatusBadge> {last_error}
      </>
    );
  };
  const columns: Column<InstallationJob>[] = [
    {
      name: 'job',
      header: t.job,
      cell: ({ name }) => (
        <>
          {nameOf(name)}
          <Text component="code" display="block" c="dimmed" size="xs" ff="monospace" truncate>
            {name}
          </Text>
        </>
      ),
    },
    {
      name: 'result',
      header: t.result,
      cell: (job) => <span className={styles['finding']}>{resultOf(job)}</span>,
      rank: 1,
    },
    {
      name: 'every',
      header: t.every,
      min: 6,
      cell: ({ every_seconds }) => (every_seconds === null ? '—' : seconds(every_seconds)),
      rank: 3,
    },
    {
      name: 'last',
      header: t.last_run,
      min: 12,
      cell: ({ last_run_at, last_duration_ms }) => (
        <>
          <Time at={last_run_at} as="relative" />
          {last_duration_ms !== null && (
            <Text span c="dimmed" size="sm">
              {' '}
              · {seconds(last_duration_ms / 1000)}
            </Text>
          )}
        </>
      ),
      rank: 2,
    },
    {
      name: 'next',
      header: t.next_run,
      min: 9,
      cell: ({ next_run_at }) => <Time at={next_run_at} as="due" />,
      rank: 3,
    },
    {
      name: 'run',
      header: t.actions,
      min: 7,
      align: 'end',
      cell: ({ name }) => (
        <RowAction
          label={t.run}
          named={t.run_of(nameOf(name))}
          isBusy={run.isPending && run.variables.params.name === name}
          run={() => run.mutate({ params: { name } })}
        />
      ),
    },
  ];
  return (
    <>
      <ProblemAlert problem={run.error} />
      <ListBody
        label={t.jobs}
        query={{ ...readOf('operator_list_jobs', {}), refetchInterval: every_ms }}
        columns={columns}
        idOf={({ name }) => name}
      />
    </>
  );
}
