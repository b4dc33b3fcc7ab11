import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiProblem } from '../api/problem.ts';
import { useMessages } from '../messages/use-messages.ts';
import { CopyButton } from './copy-field.tsx';
import styles from './parts.module.css';

/** What the service refused and why, with the trace id for its operator. */
export function ProblemAlert({ problem, shown = [] }: { problem: unknown; shown?: string[] }) {
  const t = useMessages('parts');
  if (!problem) return null;
  const { message, trace_id, errors } =
    problem instanceof ApiProblem
      ? problem
      : { message: (problem as Error).message, trace_id: undefined, errors: [] };
  const elsewhere = errors.filter(({ pointer }) => !shown.includes(pointer));
  return (
    <Alert className={styles['alarm']} icon={<IconAlertTriangle size={18} />} role="alert" p="sm">
      <Text size="sm">{message || t.unreachable}</Text>
      {elsewhere.map(({ pointer, message: told }) => (
        <Text size="sm" key={`${pointer} ${told}`}>
          {pointer.slice(1) && <code>{pointer.slice(1)}: </code>}
          {told}
        </Text>
      ))}
      {trace_id && (
        <Group gap={4} mt={4} wrap="nowrap">
          <Text size="xs" className={styles['trace']}>
            {t.trace} {trace_id}
          </Text>
          <CopyButton value={trace_id} />
        </Group>
      )}
    </Alert>
  );
}
