import { IconFlask } from '@tabler/icons-react';
import styles from './parts.module.css';

/** Marks what is of the sandbox wherever it appears. */
export function SandboxMark({ address }: { address: string }) {
  if (!/[@.]sandbox\.test$/i.test(address)) return null;
  return (
    <span className={styles['sandbox']} title="Sandbox" role="img" aria-label="Sandbox">
      <IconFlask size={14} stroke={1.8} aria-hidden />
    </span>
  );
}
