import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './parts.module.css';

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
  flush = false,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
  flush?: boolean;
}) {
  return (
    <Paper withBorder component="section" className={styles['panel']} data-flush={flush || undefined}>
      {(title || actions) && (
        <div className={styles['sectionHead']}>
          {title && (
            <Title order={2} size="h5">
              {title}
            </Title>
          )}
          {actions}
        </div>
      )}
      {children}
    </Paper>
  );
}

export interface Fact {
  name: string;
  value: ReactNode;
}

/** Names and values of one thing. */
export function Facts({ facts }: { facts: (Fact | false | undefined)[] }) {
  return (
    <dl className={styles['facts']}>
      {facts
        .filter((each) => typeof each === 'object')
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** What a thing is, and beside it, on wide windows, what is known about it. */
export function DetailLayout({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className={styles['detail']} data-aside={aside ? true : undefined}>
      <div className={styles['column']}>{children}</div>
      {aside && <aside className={styles['column']}>{aside}</aside>}
    </div>
  );
}
