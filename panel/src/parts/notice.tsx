import { Alert, type AlertProps } from '@mantine/core';
import styles from './parts.module.css';

/** Something to know before going on, where nothing failed. */
export function Notice(props: Pick<AlertProps, 'icon' | 'title' | 'children'>) {
  return <Alert {...props} className={styles['notice']} p="sm" />;
}
