import type { ReactNode } from 'react';
import styles from './parts.module.css';
import type { Tone } from './status-badge.tsx';
import { Time } from './time.tsx';

export interface TimelineItem {
  id: string | number;
  at: string | null;
  title: ReactNode;
  tone: Tone;
  children?: ReactNode;
}

/** What happened, one under the other. */
export function Timeline({ items, label }: { items: TimelineItem[]; label: string }) {
  return (
    <ol className={styles['timeline']} aria-label={label}>
      {items.map(({ id, at, title, tone, children }) => (
        <li key={id} data-tone={tone}>
          <div className={styles['event']}>
            <strong>{title}</strong>
            <span className={styles['when']}>
              <Time at={at} as="exact" />
            </span>
          </div>
          {children && <div className={styles['eventBody']}>{children}</div>}
        </li>
      ))}
    </ol>
  );
}
