import { IconFlask, IconTestPipe } from '@tabler/icons-react';
import { useMessages } from '../messages/use-messages.ts';
import styles from './parts.module.css';

/** Marks addresses of the sandbox. */
export function SandboxMark({ address }: { address: string }) {
  const t = useMessages('mail_marks');
  if (!/[@.]sandbox\.test$/i.test(address)) return null;
  return (
    <span className={styles['mark']} title={t.sandbox} role="img" aria-label={t.sandbox}>
      <IconFlask size={14} stroke={1.8} aria-hidden />
    </span>
  );
}

/** Tells sandbox mail and mail in test mode, which figures leave out, from other mail. */
export function MailMarks({ to, test_mode }: { to: string; test_mode: boolean }) {
  const t = useMessages('mail_marks');
  return (
    <>
      <SandboxMark address={to} />
      {test_mode && (
        <span className={styles['mark']} data-tone="info" title={t.test} role="img" aria-label={t.test}>
          <IconTestPipe size={14} stroke={1.8} aria-hidden />
        </span>
      )}
    </>
  );
}
