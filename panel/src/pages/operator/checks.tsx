import { Button, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';
import { Coded } from '../../parts/coded.tsx';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { inWords } from './in-words.ts';
import styles from './operator.module.css';

interface Found {
  ok: boolean;
  detail: string;
  action: string | null;
  is_skipped: boolean;
  /** Absent when it was run just now. */
  checked_at?: string;
}
type Result = { state: 'running' } | ({ state: 'done' } & Found);
const query = { ...readOf('operator_list_checks', {}), staleTime: Infinity };

/** The checks of doctor, one after the other: some are heavy. */
export function Checks() {
  const t = useMessages('operator');
  const names: Record<string, string | undefined> = useMessages('service_words').checks;
  const [results, setResults] = useState<Partial<Record<string, Result>>>({});
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const listed = useQuery(query).data?.data ?? [];
  const run = async (checks: string[]): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const check of checks) {
        setResults((before) => ({ ...before, [check]: { state: 'running' } }));
        const { ok, detail, action, is_skipped } = await call('operator_run_check', { params: { check } });
        setResults((before) => ({ ...before, [check]: { state: 'done', ok, detail, action, is_skipped } }));
      }
    } catch (error) {
      setProblem(error);
      setResults((before) =>
        Object.fromEntries(Object.entries(before).filter(([, each]) => each?.state === 'done')),
      );
    }
    setBusy(false);
  };
  const columns: Column<(typeof listed)[number]>[] = [
    { name: 'check', header: t.check, min: 9, cell: ({ check }) => names[check] ?? check },
    {
      name: 'finding',
      header: t.finding,
      rank: 1,
      cell: ({ check, last }) => (
        <Finding result={results[check] ?? (last ? { state: 'done', ...last } : undefined)} />
      ),
    },
    {
      name: 'run',
      header: t.actions,
      min: 7,
      align: 'end',
      cell: ({ check }) => (
        <RowAction
          label={t.run}
          named={t.run_of(names[check] ?? check)}
          isBusy={isBusy}
          run={async () => await run([check])}
        />
      ),
    },
  ];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t.checks_about}
      </Text>
      <div>
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={isBusy}
          onClick={() => void run(listed.map(({ check }) => check))}
        >
          {t.run_all}
        </Button>
      </div>
      <ProblemAlert problem={problem} />
      <ListBody label={t.checks} query={query} columns={columns} idOf={({ check }) => check} />
    </Stack>
  );
}

function Verdict({ result: { ok, is_skipped } }: { result: Found }) {
  const t = useMessages('operator');
  if (is_skipped) return <StatusBadge tone="quiet">{t.skipped}</StatusBadge>;
  return <StatusBadge tone={ok ? 'good' : 'bad'}>{ok ? t.fine : t.wrong}</StatusBadge>;
}

function Finding({ result }: { result: Result | undefined }) {
  const t = useMessages('operator');
  const { said } = useMessages('service_words');
  if (result?.state !== 'done') {
    return (
      <Text span c="dimmed" size="sm">
        {result ? t.running : t.not_run}
      </Text>
    );
  }
  return (
    <span className={styles['finding']}>
      <Verdict result={result} /> {inWords(result.detail, said)}
      {result.action !== null && (
        <Text span display="block" size="sm" mt={4}>
          <Coded>{t.todo(inWords(result.action, said))}</Coded>
        </Text>
      )}
      {result.checked_at !== undefined && (
        <Text span display="block" size="xs" c="dimmed" mt={4}>
          {t.checked} <Time at={result.checked_at} as="relative" />
        </Text>
      )}
    </span>
  );
}
