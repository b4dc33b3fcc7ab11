import { Paper, Stack, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { ConnectionBar } from './app/connection-bar.tsx';
import { Mark } from './app/mark.tsx';
import styles from './gate.module.css';

/** The page around a form for people who are not signed in. */
export function Gate({ title, children, below }: { title: string; children: ReactNode; below?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Chasqui`;
  }, [title]);
  return (
    <>
      <ConnectionBar />
      <main className={styles['gate']}>
        <div className={styles['brand']}>
          <span className={styles['mark']}>
            <Mark size={24} />
          </span>
          Chasqui
        </div>
        <Paper withBorder className={styles['card']}>
          <Stack gap="md">
            <Title order={1} size="h3">
              {title}
            </Title>
            {children}
          </Stack>
        </Paper>
        {below && <div className={styles['below']}>{below}</div>}
      </main>
    </>
  );
}
