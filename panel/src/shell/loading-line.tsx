import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import styles from './frame.module.css';

/** A thin line above the page while something is read; what is read at once never shows it. */
export function LoadingLine() {
  const reads = useIsFetching();
  const isMoving = useRouterState({ select: ({ status }) => status === 'pending' });
  const isLoading = reads > 0 || isMoving;
  return <div className={styles['loading']} data-loading={isLoading} aria-hidden />;
}
