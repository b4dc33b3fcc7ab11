import styles from './parts.module.css';

/** What a state means for the reader, whatever its name. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'quiet';

export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  );
}
