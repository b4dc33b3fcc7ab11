import { Stack, Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { CopyField } from './copy-field.tsx';
import styles from './parts.module.css';

interface EmptyLook {
  icon: Icon;
  title: string;
  action?: ReactNode;
  /** With the reader's own names in it. */
  command?: string;
}

/** What an empty list teaches. */
export interface Empty extends EmptyLook {
  about: ReactNode;
}

/** Teaches: what this is, why it is empty, and the one step that changes that. */
export function EmptyState({
  icon: Shown,
  title,
  children,
  action,
  command,
}: EmptyLook & { children: ReactNode }) {
  const t = useMessages('parts');
  return (
    <Stack align="center" className={styles['empty']} gap="sm">
      <span className={styles['figure']}>
        <Shown size={28} stroke={1.5} aria-hidden />
      </span>
      <Title order={2} size="h4" ta="center">
        {title}
      </Title>
      <Text component="div" c="dimmed" ta="center" maw={520}>
        {children}
      </Text>
      {action}
      {command && (
        <div className={styles['command']}>
          <CopyField value={command} label={t.try_it} block />
        </div>
      )}
    </Stack>
  );
}
