import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readOf } from '../../api/read.ts';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import styles from './account.module.css';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { deviceOf } from './user-agent.ts';

/** Where one is signed in, and the way out of it. */
export function SessionsSection() {
  const t = useMessages('account');
  const { data, error } = useQuery(readOf('panel_list_sessions', {}));
  const endOne = useAccountChange('panel_end_session', () => toast(t.session_ended));
  const endOthers = useAccountChange('panel_end_other_sessions', () => toast(t.others_ended));
  const sessions = data?.data ?? [];
  return (
    <Section
      title={t.sessions}
      actions={
        sessions.length > 1 && (
          <Button
            variant="default"
            size="xs"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate({})}
          >
            {t.end_others}
          </Button>
        )
      }
    >
      <ProblemAlert problem={error ?? endOne.error ?? endOthers.error} />
      {!data && !error && <Skeleton height={48} />}
      <ul className={styles['sessions']} aria-label={t.sessions}>
        {sessions.map(({ id, user_agent, address, last_used_at, is_current }) => (
          <li key={id}>
            <div>
              <Group gap="xs">
                <Text fw={500}>{deviceOf(user_agent) ?? t.unknown_device}</Text>
                {is_current && <StatusBadge tone="good">{t.this_one}</StatusBadge>}
              </Group>
              <Text size="sm" c="dimmed">
                {address ?? t.unknown_address} · <Time at={last_used_at} />
              </Text>
            </div>
            {!is_current && (
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                onClick={() => endOne.mutate({ params: { id } })}
              >
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
