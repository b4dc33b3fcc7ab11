import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from './app/mark.tsx';
import styles from './parts.module.css';

/** A whole page that says one thing. */
export function Message({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" className={styles['message']} gap="sm" role="main">
      <span className={styles['figure']}>
        <Mark size={36} />
      </span>
      <Title order={1} size="h3" ta="center">
        {title}
      </Title>
      <Text component="div" c="dimmed" ta="center" maw={480}>
        {children}
      </Text>
      {action}
    </Stack>
  );
}
