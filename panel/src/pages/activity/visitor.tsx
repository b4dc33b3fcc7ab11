import { Group, Text } from '@mantine/core';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** The program that opened or clicked; scanners and privacy proxies are marked. */
export function Visitor({ is_machine, user_agent }: { is_machine: boolean; user_agent: string | null }) {
  const t = useMessages('activity');
  return (
    <Group gap="xs" wrap="nowrap">
      {is_machine && <StatusBadge tone="quiet">{t.is_machine}</StatusBadge>}
      <Text component="span" inherit truncate title={user_agent ?? undefined}>
        {user_agent ?? '—'}
      </Text>
    </Group>
  );
}
