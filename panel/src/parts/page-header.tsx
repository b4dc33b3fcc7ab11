import { Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useInstanceIfAny } from './app/instance.tsx';
import { rememberPage } from './app/recents.ts';
import styles from './parts.module.css';

/** The title of a page, in the tab too, with what can be done on it. */
export function PageHeader({
  title,
  children,
  badge,
  actions,
  back,
}: {
  title: string;
  children?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  back?: ReactNode;
}) {
  const instance = useInstanceIfAny();
  useEffect(() => {
    document.title = [title, instance?.name, 'Chasqui'].filter(Boolean).join(' · ');
  }, [title, instance?.name]);
  const isAboutOne = back !== undefined;
  useEffect(() => {
    if (isAboutOne) rememberPage(title);
  }, [isAboutOne, title]);
  return (
    <header className={styles['header']}>
      <div className={styles['heading']}>
        {back}
        <Group gap="sm" wrap="wrap">
          <Title order={1}>{title}</Title>
          {badge}
        </Group>
        {children && (
          <Text component="div" c="dimmed" mt={4} maw={720}>
            {children}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </header>
  );
}
