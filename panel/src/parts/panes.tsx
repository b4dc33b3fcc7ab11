import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import styles from './panes.module.css';

/** A list on the left and what is open of it on the right; on phones one after the other. */
export function Panes({ list, isOpen, children }: { list: ReactNode; isOpen: boolean; children: ReactNode }) {
  return (
    <div className={styles['panes']} data-open={isOpen || undefined}>
      <div className={styles['list']}>{list}</div>
      <div className={styles['message']}>{children}</div>
    </div>
  );
}

/** A message in the list: what it is about, and who it is from or to. */
export function MessageLine({
  title,
  isOpen,
  isRead,
  children,
}: {
  title: string;
  isOpen: boolean;
  isRead: boolean;
  children: ReactNode;
}) {
  const t = useMessages('parts');
  return (
    <span className={styles['line']} data-open={isOpen || undefined} data-unread={!isRead || undefined}>
      <span>
        {!isRead && <VisuallyHidden component="span">{t.unread}: </VisuallyHidden>}
        {title}
      </span>
      <small>{children}</small>
    </span>
  );
}

/** Where the list is not beside what is open. */
export function BackToList({ label, onBack }: { label: string; onBack: () => void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      className={styles['back']}
      leftSection={<IconArrowLeft size={16} />}
      onClick={onBack}
      mb="xs"
    >
      {label}
    </Button>
  );
}
