import { Button, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useWords } from '../../shell/languages.ts';
import { PlainList } from './plain-list.tsx';
import { RowAction } from './row-action.tsx';
import styles from './operator.module.css';
import { words } from './words.ts';

type Result = { state: 'running' } | { state: 'done'; ok: boolean; detail: string };
const query = { ...readOf('operator_list_checks', {}), staleTime: Infinity };

/** The checks of doctor, one after the other: some are heavy. */
export function Checks() {
  const t = useWords(words);
  const [results, setResults] = useState<Partial<Record<string, Result>>>({});
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const names = (useQuery(query).data?.data ?? []).map(({ check }) => check);
  const run = async (checks: string[]): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const check of checks) {
        setResults((before) => ({ ...before, [check]: { state: 'running' } }));
        const { ok, detail } = await call('operator_run_check', { params: { check } });
        setResults((before) => ({ ...before, [check]: { state: 'done', ok, detail } }));
      }
    } catch (error) {
      setProblem(error);
      setResults((before) =>
        Object.fromEntries(Object.entries(before).filter(([, each]) => each?.state === 'done')),
      );
    }
    setBusy(false);
  };
  const columns: Column<{ check: string }>[] = [
    { name: 'check', header: t.check, width: '30%', cell: ({ check }) => check },
    {
      name: 'finding',
      header: t.finding,
      cell: ({ check }) => <Finding result={results[check]} />,
    },
    {
      name: 'run',
      header: t.actions,
      width: '7rem',
      align: 'end',
      cell: ({ check }) => (
        <RowAction label={t.run_of(check)} loading={isBusy} onClick={() => void run([check])}>
          {t.run}
        </RowAction>
      ),
    },
  ];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t.checks_about}
      </Text>
      <div>
        <Button leftSection={<IconPlayerPlay size={16} />} loading={isBusy} onClick={() => void run(names)}>
          {t.run_all}
        </Button>
      </div>
      <ProblemAlert problem={problem} />
      <PlainList label={t.checks} query={query} columns={columns} idOf={({ check }) => check} />
    </Stack>
  );
}

function Finding({ result }: { result: Result | undefined }) {
  const t = useWords(words);
  if (result?.state !== 'done') {
    return (
      <Text span c="dimmed" size="sm">
        {result ? t.running : t.not_run}
      </Text>
    );
  }
  return (
    <span className={styles['finding']}>
      <StatusBadge tone={result.ok ? 'good' : 'bad'}>{result.ok ? t.fine : t.wrong}</StatusBadge>{' '}
      {result.detail}
    </span>
  );
}
